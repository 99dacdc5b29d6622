/** What can be done with a CRM that is connected. */
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

interface Destination {
  readonly destination_id: string
  readonly name: string
  readonly status: 'active' | 'paused' | 'broken'
}

export function DestinationActs({ of: { destination_id, name, status } }: { readonly of: Destination }) {
  const params = { path: { destination_id } }
  return (
    <div className="acts">
      <AccountAct
        needs="deliver"
        label="Test"
        title={`Sign in to ${name} and look?`}
        run={async () => dataOf(await api.POST('/api/crm/destinations/{destination_id}/test', { params, body: {} }))}
        shows={({ ok, checks }) => (
          <div role="status">
            <p>{ok ? 'All is well.' : 'Something is missing:'}</p>
            <ul>
              {checks.map((check) => (
                <li key={check.name}>{`${check.ok ? 'well' : 'not well'}: ${check.name}. ${check.detail}`}</li>
              ))}
            </ul>
          </div>
        )}
      >
        <p>Nothing is written.</p>
      </AccountAct>
      {status === 'active' ? (
        <AccountAct
          needs="deliver"
          label="Hold back"
          title={`Hold deliveries to ${name} back?`}
          run={async () => dataOf(await api.POST('/api/crm/destinations/{destination_id}/pause', { params, body: {} }))}
        />
      ) : (
        <AccountAct
          needs="deliver"
          label="Let go on"
          title={`Let deliveries to ${name} go on?`}
          tone="main"
          run={async () =>
            dataOf(await api.POST('/api/crm/destinations/{destination_id}/resume', { params, body: {} }))
          }
        />
      )}
      <AccountAct
        needs="deliver"
        label="Remove"
        title={`Remove ${name}?`}
        tone="danger"
        run={async () => dataOf(await api.DELETE('/api/crm/destinations/{destination_id}', { params, body: {} }))}
      >
        <p>Nothing more is delivered there. What is in the CRM stays there.</p>
      </AccountAct>
    </div>
  )
}
