/** For a file imported to the wrong source: a button that previews it as the source it belongs to. */
import { useLocation } from 'wouter'
import { api } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'
import type { Run } from './run-reads.ts'
import type { SourceName } from './start-run.ts'

/** @returns undefined where the run failed for another reason. */
export function otherSourceOf({ error }: Run): string | undefined {
  const source = error && typeof error === 'object' && 'source' in error ? error.source : undefined
  return typeof source === 'string' ? source : undefined
}

export function ImportAs({ run, source }: { readonly run: Run; readonly source: string }) {
  const [, go] = useLocation()
  return (
    <OperatorAct
      label={`Preview as ${source}`}
      title={`Preview this file as ${source}?`}
      tone="main"
      calls={() => {
        const params = { path: { id: String(run.run_id) } }
        const body = { source: source as SourceName, dry_run: true }
        return api.POST('/admin/ingest/runs/{id}/repeat', { params, body })
      }}
      says={({ run_id }) => `Import ${run_id} previews the file.`}
      done={({ run_id }) => go(`/runs/${run_id}`)}
    >
      <p>
        Its header is one of {source}, and none of {run.source}. Nothing is written until you apply the preview.
      </p>
    </OperatorAct>
  )
}
