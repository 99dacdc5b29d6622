/** Writes one invented row to a CRM, reads it back, deletes it, and shows what the CRM held. */
import { Badge } from '../../look/badge.tsx'
import type { Destination } from '../../look/crm/destination-state.tsx'
import { Facts, plain } from '../../look/facts.tsx'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

export function TestRow({ of: { destination_id, name } }: { readonly of: Destination }) {
  const params = { path: { destination_id } }
  return (
    <AccountAct
      needs="deliver"
      label="Send a test row"
      title={`Send one invented row to ${name}?`}
      calls={() => api.POST('/api/crm/destinations/{destination_id}/test-row', { params, body: {} })}
      shows={({ ok, outcome, message, field, removed, fields }) => (
        <div role="status">
          <p>
            <Badge tone={ok ? 'good' : 'bad'}>{outcome}</Badge>{' '}
            {message ? `${field ? `${field}: ` : ''}${message}` : 'The CRM accepted it.'}{' '}
            {removed ? 'It was deleted again.' : 'It stayed in the CRM: delete it there.'}
          </p>
          <Facts of={Object.entries(fields).map(([field, value]) => [field, plain(value)] as const)} />
        </div>
      )}
    >
      <p>It is written, looked up, and deleted.</p>
    </AccountAct>
  )
}
