/** Signs in to a CRM and looks; what an administrator must do there is listed word for word. */
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import type { Destination } from './destination-state.tsx'

export function TestSignIn({ of: { destination_id, name } }: { readonly of: Destination }) {
  const params = { path: { destination_id } }
  return (
    <AccountAct
      needs="deliver"
      label="Test"
      title={`Sign in to ${name} and look?`}
      tone="main"
      run={async () => dataOf(await api.POST('/api/crm/destinations/{destination_id}/test', { params, body: {} }))}
      shows={({ ok, checks }) => (
        <div role="status">
          <p>{ok ? 'All is well.' : 'Somebody must do this in the CRM first; then test again:'}</p>
          <ul>
            {checks.map((check) => (
              <li key={check.name}>{`${check.ok ? 'well' : 'to do'}: ${check.name}. ${check.detail}`}</li>
            ))}
          </ul>
        </div>
      )}
    >
      <p>No lead is written. Fields that deliveries need are made where the CRM lets them be.</p>
    </AccountAct>
  )
}
