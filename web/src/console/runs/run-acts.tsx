/**
 * What may be done with a run that waits. Approving over newer runs is asked for by its own tick, because it puts older
 * values over newer ones.
 */
import { api, dataOf } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'
import type { Run } from './run-reads.ts'

export function RunActs({ run }: { readonly run: Run }) {
  if (run.status !== 'needs_approval') return null
  const path = { id: String(run.run_id) }
  return (
    <>
      <OperatorAct
        label="Approve"
        title={`Apply run ${run.run_id}?`}
        tone="main"
        fields={[
          {
            name: 'supersede',
            kind: 'check',
            optional: true,
            label: 'Also over runs that were taken in since',
            hint: 'Without the tick it is refused where there are any, and they are named.',
          },
        ]}
        run={async ({ supersede }) =>
          dataOf(
            await api.POST('/admin/ingest/runs/{id}/approve', {
              params: { path },
              body: { supersede: supersede === 'on' },
            }),
          )
        }
      >
        <p>
          Everything in the file is applied to {run.source}, also what is suspicious. Records that the file lacks are
          closed.
        </p>
      </OperatorAct>
      <OperatorAct
        label="Discard"
        title={`Drop run ${run.run_id}?`}
        tone="danger"
        run={async () => dataOf(await api.POST('/admin/ingest/runs/{id}/discard', { params: { path }, body: {} }))}
      >
        <p>Nothing of the file is applied. The register stays as it is, and the right file can be taken in.</p>
      </OperatorAct>
    </>
  )
}
