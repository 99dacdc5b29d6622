/** The options of a destination besides its credentials: shown and changed here; the credentials stay. */

import type { Destination } from '../../look/crm/destination-state.tsx'
import { fieldsOf, valuesOf } from '../../look/crm/settings-form.ts'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { useKinds } from './kinds.ts'
import { wholeDestination } from './read-destination.ts'

export function OptionsStep({ of: destination }: { readonly of: Destination }) {
  const { destination_id, type, name } = destination
  const options = useKinds().data?.find((kind) => kind.type === type)?.options ?? []
  if (options.length === 0) return <p>This kind of CRM has no options.</p>
  return (
    <>
      <p>What a lead becomes there, and what happens when its record was deleted or already exists.</p>
      <AccountAct
        needs="deliver"
        asAdmin
        label="Set options"
        title={`Options of ${name}`}
        says={() => `The options of ${name} are set.`}
        whole={wholeDestination(destination, ({ settings }) => fieldsOf(options, settings))}
        calls={(typed, _, revision) => {
          const params = { path: { destination_id } }
          const emptied = Object.fromEntries(options.map((option) => [option.name, null]))
          const body = { options: { ...emptied, ...valuesOf(options, typed) }, revision }
          return api.PATCH('/api/crm/destinations/{destination_id}', { params, body })
        }}
      >
        <p>Its credentials stay. Test it again afterwards, so that any new fields are created.</p>
      </AccountAct>
    </>
  )
}
