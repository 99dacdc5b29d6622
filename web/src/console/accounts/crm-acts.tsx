/** Operator actions on an account's CRM: test, pause, resume, remove, with its lead counts. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '../../look/crm/destination-state.tsx'
import { TestResult } from '../../look/crm/test-result.tsx'
import type { outcomes } from '../../look/delivery.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'

interface Crm {
  readonly id: string
  readonly of: Destination
}

export function CrmActs({ id, of }: Crm) {
  return (
    <div className="acts">
      <Test id={id} of={of} />
      {of.status === 'active' ? <Pause id={id} of={of} /> : <Resume id={id} of={of} />}
      <Remove id={id} of={of} />
    </div>
  )
}

const pathOf = ({ id, of: { destination_id } }: Crm) => ({ path: { id, destination_id } })

function Test(crm: Crm) {
  return (
    <OperatorAct
      label="Test"
      title={`Test ${crm.of.name}?`}
      calls={() => api.POST('/admin/users/{id}/destinations/{destination_id}/test', { params: pathOf(crm), body: {} })}
      shows={(tested) => <TestResult of={tested} />}
    >
      <p>Signs in and checks the fields. No lead is written; missing fields are created where the CRM allows it.</p>
    </OperatorAct>
  )
}

function Pause(crm: Crm) {
  return (
    <OperatorAct
      label="Pause"
      title={`Pause deliveries to ${crm.of.name}?`}
      calls={() => api.POST('/admin/users/{id}/destinations/{destination_id}/pause', { params: pathOf(crm), body: {} })}
      says={({ name }) => `Deliveries to ${name} are paused.`}
    >
      <Leads of={crm.of} />
      <p>Nothing is sent until someone resumes it, here or in the app. Leads ordered in the meantime wait.</p>
    </OperatorAct>
  )
}

function Resume(crm: Crm) {
  return (
    <OperatorAct
      label="Resume"
      title={`Resume deliveries to ${crm.of.name}?`}
      tone="main"
      calls={() =>
        api.POST('/admin/users/{id}/destinations/{destination_id}/resume', { params: pathOf(crm), body: {} })
      }
      says={({ name }) => `Deliveries to ${name} are resumed.`}
    >
      <Leads of={crm.of} />
      <p>Waiting leads are sent now.</p>
    </OperatorAct>
  )
}

function Remove(crm: Crm) {
  return (
    <OperatorAct
      label="Remove"
      title={`Remove ${crm.of.name}?`}
      tone="danger"
      calls={() => api.DELETE('/admin/users/{id}/destinations/{destination_id}', { params: pathOf(crm), body: {} })}
      says={({ name }) => `${name} is removed, and its credentials are deleted.`}
    >
      <Leads of={crm.of} />
      <p>
        Its credentials are deleted, and nothing more is delivered there. What is in the CRM stays there, and connecting
        the same account of it again finds what was delivered.
      </p>
    </OperatorAct>
  )
}

/** The counts to see before deciding: all its leads, and how many wait or were rejected. */
function Leads({ of: { destination_id } }: { readonly of: Destination }) {
  const leads = useQuery({
    queryKey: ['deliveries', 'figures', destination_id],
    queryFn: async () => {
      const totalOf = async (outcome?: (typeof outcomes)[number]) => {
        const query = { destination_id, page: 1, limit: 1, ...(outcome && { outcome }) }
        return dataOf(await api.GET('/admin/deliveries', { params: { query } })).total
      }
      const [all, pending, rejected] = await Promise.all([totalOf(), totalOf('pending'), totalOf('rejected')])
      return { all, pending, rejected }
    },
  })
  return (
    <Reading of={leads} what="its leads">
      {({ all, pending, rejected }) =>
        all === 0 ? (
          <p>No leads have been queued for it yet.</p>
        ) : (
          <p>
            {counted(all, 'lead')} in all: {count(pending)} waiting, {count(rejected)} rejected.
          </p>
        )
      }
    </Reading>
  )
}
