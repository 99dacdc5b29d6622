/** The kinds of CRM of this Panji, and what a form asks for to connect one. */
import type { Connector } from '../../../../connectors/contract.ts'
import type { DeliveryContext } from '../../route-context.ts'

type SettingField = NonNullable<Connector['options']>[number]

const asForm = ({ initial, choices, ...field }: SettingField) => ({
  ...{ ...field, initial: initial ?? null },
  choices: choices ?? null,
})

export function kindsOf({ connectors, connect }: Pick<DeliveryContext, 'connectors' | 'connect'>) {
  const ownPageOf = ({ name, webConnect }: Connector) =>
    webConnect && connect.publicUrl !== undefined
      ? { has_app: connect.apps.some(({ connector }) => connector === name), fields: webConnect.fields.map(asForm) }
      : null
  return {
    data: connectors.map((connector) => {
      const { name, label = name, signIns = [], options = [] } = connector
      const ways = signIns.map((way) => ({ ...way, fields: way.fields.map(asForm) }))
      return { type: name, label, sign_ins: ways, options: options.map(asForm), own_page: ownPageOf(connector) }
    }),
  }
}
