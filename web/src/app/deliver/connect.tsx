/** The first step of connecting a CRM: its kind and how to sign in to it. Nothing is sent to the CRM in this step. */
import { useLocation } from 'wouter'
import { whenFields, whenOf } from '../../look/crm/deliver-when.ts'
import {
  asJson,
  fieldsOf,
  isNoSecret,
  type Kind,
  type SignInWay,
  settingFields,
  settingsOf,
  valuesOf,
} from '../../look/crm/settings-form.ts'
import type { Typed } from '../../look/field-shape.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { Needs } from '../needs.tsx'
import { shareField, shareOf } from './customer-share.ts'
import { useKinds } from './kinds.ts'
import { OwnPage, ownPageOf } from './own-page.tsx'
import { limitFields, limitsOf } from './sending-limits.ts'

export default function Connect() {
  const kinds = useKinds()
  return (
    <Page
      title="Connect a CRM"
      lead="Choose the CRM and how to sign in to it. Then test it, review its fields and send one test row. No lead is sent until you say so."
    >
      <Needs scope="deliver" asAdmin>
        <Reading of={kinds} what="the kinds of CRM">
          {(data) => (
            <div className="cards">
              {data.map((kind) => (
                <section key={kind.type} className="card" aria-label={kind.label}>
                  <h2>{kind.label}</h2>
                  <div className="acts">
                    <ConnectAtOwnPage kind={kind} />
                    {kind.sign_ins.map((way) => (
                      <ConnectBy key={way.name} kind={kind} way={way} />
                    ))}
                  </div>
                  <details>
                    <summary>You have its settings as a file</summary>
                    <div className="acts">
                      <ConnectBy kind={kind} way={asJson} />
                    </div>
                  </details>
                </section>
              ))}
            </div>
          )}
        </Reading>
      </Needs>
    </Page>
  )
}

/** For a new destination, besides its name and credentials. All of it has working defaults and can be changed later. */
const chosenFields = (kind: Kind, way: SignInWay) => [
  ...fieldsOf(otherOptions(kind, way)).map((field) => ({ ...field, fold: 'Options' })),
  ...[...whenFields(), ...limitFields(), shareField()].map((field) => ({ ...field, fold: 'When and how leads go' })),
]
/** A settings file holds them all. */
const otherOptions = (kind: Kind, way: SignInWay) =>
  way === asJson ? [] : kind.options.filter(({ name }) => way.fields.every((field) => field.name !== name))
const chosenIn = (typed: Typed) => ({
  deliver: whenOf(typed),
  customer_share: shareOf(typed),
  ...limitsOf(typed),
})

const nameField = (label: string) => ({
  name: 'name',
  label: 'Name',
  initial: label,
  hint: 'The name your team uses for it.',
})

/**
 * Missing where the kind has no such page, or where this Panji has no address that a browser could be redirected to.
 */
function ConnectAtOwnPage({ kind }: { readonly kind: Kind }) {
  const { type, label } = kind
  const [, go] = useLocation()
  const way = ownPageOf(kind)
  if (!way) return null
  return (
    <OwnPage
      label={way.label}
      title={`Connect ${label} by signing in there`}
      crm={label}
      way={way}
      first={[nameField(label)]}
      last={chosenFields(kind, way)}
      begin={async (typed, signIn) => {
        const settings = { ...valuesOf(otherOptions(kind, way), typed), ...signIn }
        const body = { type, name: typed['name'] ?? label, settings, ...chosenIn(typed) }
        return dataOf(await api.POST('/api/crm/destinations/connect', { body }))
      }}
      done={({ destination_id }) => go(`/destinations/${destination_id}`)}
    />
  )
}

function ConnectBy({ kind, way }: { readonly kind: Kind; readonly way: SignInWay }) {
  const { type, label } = kind
  const [, go] = useLocation()
  return (
    <AccountAct
      needs="deliver"
      asAdmin
      label={way.label}
      confirms={`Connect ${label}`}
      title={`Connect ${label}: ${way.label}`}
      says={() => `${label} is connected. Test it next.`}
      fields={[nameField(label), ...settingFields(way), ...chosenFields(kind, way)]}
      keeps={isNoSecret}
      calls={(typed) => {
        const settings = { ...valuesOf(otherOptions(kind, way), typed), ...settingsOf(way, typed) }
        const body = { type, name: typed['name'] ?? label, settings, ...chosenIn(typed) }
        return api.POST('/api/crm/destinations', { body })
      }}
      done={({ destination_id }) => go(`/destinations/${destination_id}`)}
    >
      <p>What you enter is stored encrypted and never shown again. You test it on the next page.</p>
    </AccountAct>
  )
}
