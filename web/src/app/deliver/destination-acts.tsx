/** Actions on a connected CRM: pause, resume, renew its credentials, remove. */
import { useLocation } from 'wouter'
import type { Destination } from '../../look/crm/destination-state.tsx'
import { asJson, type Kind, type SignInWay, settingFields, settingsOf } from '../../look/crm/settings-form.ts'
import { api, dataOf } from '../../wire/api.ts'
import { queries } from '../../wire/queries.ts'
import { AccountAct } from '../account-act.tsx'
import { AffectedStandingOrders } from './affected-standing-orders.tsx'
import { useKinds } from './kinds.ts'
import { OwnPage, ownPageOf } from './own-page.tsx'
import { wholeDestination } from './read-destination.ts'

export function DestinationActs({ of: { destination_id, name, status } }: { readonly of: Destination }) {
  const params = { path: { destination_id } }
  const [, go] = useLocation()
  return (
    <>
      {status === 'active' ? (
        <AccountAct
          needs="deliver"
          asAdmin
          label="Pause"
          title={`Pause deliveries to ${name}?`}
          says={() => `Deliveries to ${name} are paused.`}
          calls={() => api.POST('/api/crm/destinations/{destination_id}/pause', { params, body: {} })}
        >
          <p>Nothing is sent until you resume it. Leads ordered in the meantime wait.</p>
        </AccountAct>
      ) : (
        <AccountAct
          needs="deliver"
          asAdmin
          label="Resume"
          title={`Resume deliveries to ${name}?`}
          says={() => `Deliveries to ${name} are resumed.`}
          tone="main"
          calls={() => api.POST('/api/crm/destinations/{destination_id}/resume', { params, body: {} })}
        >
          <p>Waiting leads are sent.</p>
        </AccountAct>
      )}
      <AccountAct
        needs="deliver"
        asAdmin
        label="Remove"
        title={`Remove ${name}?`}
        says={() => `${name} is removed, and its credentials are deleted.`}
        tone="danger"
        calls={() => api.DELETE('/api/crm/destinations/{destination_id}', { params, body: {} })}
        done={() => {
          // Its page is still rendered for a moment, and would request what no longer exists.
          queries.removeQueries({ queryKey: ['destinations', 'one', destination_id] })
          go('/destinations')
        }}
      >
        <p>Its credentials are deleted, and nothing more is delivered there. What is in the CRM stays there.</p>
        <AffectedStandingOrders id={destination_id} />
      </AccountAct>
    </>
  )
}

/** One button per sign-in way of the kind. Waiting leads continue with the new credentials. */
export function Renew({ of: destination }: { readonly of: Destination }) {
  const kind = useKinds().data?.find(({ type }) => type === destination.type)
  if (!kind) return null
  return (
    <>
      <RenewAtOwnPage of={destination} kind={kind} />
      {kind.sign_ins.map((way) => (
        <RenewBy key={way.name} of={destination} kind={kind} way={way} />
      ))}
      <RenewBy of={destination} kind={kind} way={asJson} />
    </>
  )
}

/**
 * The server decides which settings stay. A customer's own app must be given again only where the destination has none.
 */
function RenewAtOwnPage({ of: { destination_id, name }, kind }: { readonly of: Destination; readonly kind: Kind }) {
  const way = ownPageOf(kind)
  if (!way) return null
  const optional = way.fields.map((field) => ({
    ...{ ...field, required: false, initial: null },
    hint: `${field.hint} Leave empty to keep the current value.`,
  }))
  return (
    <OwnPage
      label={way.label}
      title={`Renew ${name} by signing in at ${kind.label}`}
      crm={kind.label}
      way={{ ...way, fields: optional }}
      begin={async (_, settings) => {
        const body = { destination_id, ...(Object.keys(settings).length > 0 && { settings }) }
        return dataOf(await api.POST('/api/crm/destinations/connect', { body }))
      }}
      done={() => {}}
    />
  )
}

function RenewBy(props: { readonly of: Destination; readonly kind: Kind; readonly way: SignInWay }) {
  const { of: destination, kind, way } = props
  const { destination_id, name, settings } = destination
  return (
    <AccountAct
      needs="deliver"
      asAdmin
      label={way.label}
      title={`New credentials for ${name}`}
      says={() => `The credentials of ${name} are renewed.`}
      whole={wholeDestination(destination, () => settingFields(way))}
      calls={(typed, _, revision) => {
        const params = { path: { destination_id } }
        const body = { settings: { ...lastingOf(settings, kind), ...settingsOf(way, typed) }, revision }
        return api.PATCH('/api/crm/destinations/{destination_id}', { params, body })
      }}
    >
      <p>
        It stays the same CRM with the same delivery records: waiting leads continue automatically, and nothing is
        written twice.
      </p>
    </AccountAct>
  )
}

const hidden = '[hidden]'

/** Settings that are no credentials keep their values; secrets are never shown, so they are not among them. */
function lastingOf(settings: Readonly<Record<string, unknown>>, { sign_ins }: Kind): Record<string, unknown> {
  const credentials = new Set(
    sign_ins.flatMap(({ fixed, fields }) => [...Object.keys(fixed), ...fields.map(({ name }) => name)]),
  )
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => !credentials.has(name) && value !== hidden),
  )
}
