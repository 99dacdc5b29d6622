/**
 * Actions on a run: approve or discard one that needs approval, stop a running one, undo an applied one. Approving over
 * newer runs has a checkbox of its own, because older values then replace newer ones.
 */
import { useLocation } from 'wouter'
import { count, counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'
import { isUnderWay, type Run } from './run-reads.ts'
import { Suspicions } from './suspicions.tsx'

const why = { name: 'reason', label: 'Reason', hint: 'It is kept with the import and in the audit log.' } as const

export function RunActs({ run }: { readonly run: Run }) {
  if (run.status === 'needs_approval') {
    return (
      <>
        <Approve run={run} />
        <Discard run={run} />
      </>
    )
  }
  if (isUnderWay(run)) return <Cancel run={run} />
  if (run.status === 'previewed') return <Apply run={run} />
  return run.status === 'succeeded' && run.undone_by === null ? <Undo run={run} /> : null
}

const pathOf = ({ run_id }: Run) => ({ path: { id: String(run_id) } })

function Approve({ run }: { readonly run: Run }) {
  return (
    <OperatorAct
      label="Approve import"
      title={`Approve import ${run.run_id}?`}
      says={() => `Import ${run.run_id} is approved and is applied now.`}
      tone="main"
      fields={[
        why,
        {
          name: 'supersede',
          kind: 'check',
          optional: true,
          label: 'Also over imports since then',
          hint: 'If unticked and there are any, the approval is refused and they are named.',
        },
      ]}
      calls={({ reason = '', supersede }) => {
        const body = { reason, supersede: supersede === 'on' }
        return api.POST('/admin/ingest/runs/{id}/approve', { params: pathOf(run), body })
      }}
    >
      <Suspicions of={run} />
      <p>Everything in the file is applied to {run.source}, including what is suspicious.</p>
    </OperatorAct>
  )
}

function Apply({ run }: { readonly run: Run }) {
  const [, go] = useLocation()
  return (
    <OperatorAct
      label="Apply"
      title={`Apply import ${run.run_id} to ${run.source}?`}
      tone="main"
      calls={() => api.POST('/admin/ingest/runs/{id}/repeat', { params: pathOf(run), body: { dry_run: false } })}
      says={({ run_id }) => `Import ${run_id} has begun.`}
      done={({ run_id }) => go(`/runs/${run_id}`)}
    >
      <p>
        {counted(run.inserted, 'new record')}, {count(run.updated)} changed, {count(run.closed)} closed. The file is
        read again as an import of its own, which needs approval where it looks suspicious.
      </p>
    </OperatorAct>
  )
}

function Discard({ run }: { readonly run: Run }) {
  return (
    <OperatorAct
      label="Discard"
      title={`Discard import ${run.run_id}?`}
      says={() => `Import ${run.run_id} is discarded.`}
      tone="danger"
      fields={[why]}
      calls={({ reason = '' }) =>
        api.POST('/admin/ingest/runs/{id}/discard', { params: pathOf(run), body: { reason } })
      }
    >
      <Suspicions of={run} />
      <p>Nothing of the file is applied. The register stays as it is, and the right file can be imported.</p>
    </OperatorAct>
  )
}

function Cancel({ run }: { readonly run: Run }) {
  return (
    <OperatorAct
      label="Stop"
      title={`Stop import ${run.run_id}?`}
      says={() => `Import ${run.run_id} is stopping.`}
      tone="danger"
      calls={() => api.POST('/admin/ingest/runs/{id}/cancel', { params: pathOf(run), body: {} })}
    >
      <p>Nothing of it is applied. The same file can be imported again.</p>
    </OperatorAct>
  )
}

function Undo({ run }: { readonly run: Run }) {
  const [, go] = useLocation()
  return (
    <OperatorAct
      label="Undo import"
      title={`Undo import ${run.run_id}?`}
      tone="danger"
      fields={[
        why,
        {
          name: 'through',
          kind: 'check',
          optional: true,
          label: 'And every import of the source after it',
          hint: 'If unticked and there are any, the undo is refused.',
        },
      ]}
      calls={({ reason = '', through }) => {
        const body = { reason, through: through === 'on' }
        return api.POST('/admin/ingest/runs/{id}/undo', { params: pathOf(run), body })
      }}
      says={({ run_id }) => `Import ${run_id} undoes it.`}
      done={({ run_id }) => go(`/runs/${run_id}`)}
    >
      <p>
        It brought {counted(run.inserted, 'new record')}, changed {count(run.updated)} and closed {count(run.closed)}.
      </p>
      <p>
        The records of {run.source} return to what they were before it. The undo is an import of its own, shown in
        history.
      </p>
    </OperatorAct>
  )
}
