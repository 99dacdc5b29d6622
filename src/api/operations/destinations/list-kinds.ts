import type { Connector } from '../../../../connectors/contract.ts'
import { operation } from '../../operation.ts'
import { DestinationKinds } from './destination-schemas.ts'
import example from './list-kinds.example.json' with { type: 'json' }

type SettingField = NonNullable<Connector['options']>[number]
const asForm = ({ initial, choices, ...field }: SettingField) => ({
  ...{ ...field, initial: initial ?? null },
  choices: choices?.map((each) => ({ ...each })) ?? null,
})

export default operation({
  id: 'listDestinationKinds',
  method: 'GET',
  path: '/api/crm/kinds',
  tag: 'CRM',
  summary: 'Kinds of CRM that can be connected',
  description:
    'With what each asks for by each way to sign in, and its options; whatever else its manual names goes into settings, too.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: DestinationKinds },
  example,
  handle: ({ delivery }) => {
    const { connectors, connect } = delivery
    const ownPageOf = ({ name, webConnect }: Connector) =>
      webConnect && connect.publicUrl !== undefined
        ? { has_app: connect.apps.some(({ connector }) => connector === name), fields: webConnect.fields.map(asForm) }
        : null
    return async () => ({
      data: connectors.map((connector) => {
        const { name, label = name, signIns = [], options = [] } = connector
        const ways = signIns.map((way) => ({ ...way, fixed: { ...way.fixed }, fields: way.fields.map(asForm) }))
        return { type: name, label, sign_ins: ways, options: options.map(asForm), own_page: ownPageOf(connector) }
      }),
    })
  },
})
