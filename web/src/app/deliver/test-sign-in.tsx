/** Signs in to a CRM and checks it; what an administrator must do there is listed word for word. */

import type { Destination } from '../../look/crm/destination-state.tsx'
import { TestResult } from '../../look/crm/test-result.tsx'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

export function TestSignIn({ of: { destination_id, name } }: { readonly of: Destination }) {
  const params = { path: { destination_id } }
  return (
    <AccountAct
      needs="deliver"
      label="Test"
      title={`Test ${name}?`}
      tone="main"
      calls={() => api.POST('/api/crm/destinations/{destination_id}/test', { params, body: {} })}
      shows={(tested) => <TestResult of={tested} />}
    >
      <p>Signs in and checks the fields. No lead is written; missing fields are created where the CRM allows it.</p>
    </AccountAct>
  )
}
