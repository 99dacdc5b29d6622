/** What a destination does beyond signing in, as it is and to be changed; its credentials stay as they are. */

import type { Destination } from '../../look/crm/destination-state.tsx'
import { fieldsOf, valuesOf } from '../../look/crm/settings-form.ts'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { useKinds } from './kinds.ts'

export function OptionsStep({ of: { destination_id, type, name, settings } }: { readonly of: Destination }) {
  const options = useKinds().data?.find((kind) => kind.type === type)?.options ?? []
  if (options.length === 0) return <p>There are none for this kind of CRM.</p>
  return (
    <>
      <p>What a lead becomes there, and what happens when its record is deleted or was there before.</p>
      <AccountAct
        needs="deliver"
        asAdmin
        label="Set options"
        title={`Options of ${name}`}
        says={() => `The options of ${name} are set.`}
        fields={fieldsOf(options, settings)}
        run={async (typed) => {
          const params = { path: { destination_id } }
          const emptied = Object.fromEntries(options.map((option) => [option.name, null]))
          const body = { options: { ...emptied, ...valuesOf(options, typed) } }
          return dataOf(await api.PATCH('/api/crm/destinations/{destination_id}', { params, body }))
        }}
      >
        <p>Its credentials stay. Test it again afterwards: fields that it then needs are made.</p>
      </AccountAct>
    </>
  )
}
