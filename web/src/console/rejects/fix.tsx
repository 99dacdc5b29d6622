/** Fixes rejected rows cell by cell, and imports all fixed rows as a small file of their own. */
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { counted } from '../../look/numbers.ts'
import { uploadSnapshot } from '../../wire/upload.ts'
import { OperatorAct } from '../operator-act.tsx'
import { readRuns } from '../runs/run-reads.ts'
import { type SourceName, startRun } from '../runs/start-run.ts'
import { useRun } from '../runs/use-run.ts'
import { cellsOf, wrongCells } from './cells.ts'
import { dayOfRows } from './day-of-rows.ts'
import type { Reject } from './read-rejects.ts'
import { rejectReasons } from './reject-reasons.ts'

/** Line of the rejected row → its fixed cells, by the columns of the header. */
export type Fixes = ReadonlyMap<number, readonly string[]>

export function Fix(props: {
  readonly reject: Reject
  readonly header: readonly string[]
  readonly cells: readonly string[] | undefined
  readonly keep: (line: number, cells: readonly string[]) => void
}) {
  const { reject, header, cells, keep } = props
  const { line, code, message, raw, raw_characters } = reject
  if (raw.length < raw_characters || header.length === 0) return null
  const present = cells ?? cellsOf(reject, header)
  const wrong = wrongCells(reject, header, reject.cells ?? [])
  const places = [...wrong, ...header.map((_, index) => index).filter((index) => !wrong.includes(index))]
  return (
    <OperatorAct
      label={cells ? 'Change' : 'Fix'}
      title={`Fix line ${line}`}
      says={() => `Line ${line} is fixed. Import the fixed rows next.`}
      fields={places.map((index) => ({
        ...{ name: String(index), label: header[index] ?? '', optional: true, initial: present[index] ?? '' },
        ...(wrong.includes(index) && { hint: rejectReasons[code] }),
      }))}
      run={async (typed) =>
        keep(
          line,
          header.map((_, index) => typed[String(index)] ?? ''),
        )
      }
    >
      <p>{message}</p>
      {wrong.length === 0 && <p className="hint">{rejectReasons[code]}</p>}
      {reject.cells === null && (
        <>
          <p>Its columns could not be separated. Below is the best guess; this is the row as received:</p>
          <pre>{raw}</pre>
        </>
      )}
    </OperatorAct>
  )
}

export function ImportFixed(props: {
  readonly runId: string
  readonly header: readonly string[]
  readonly fixed: Fixes
}) {
  const { runId, header, fixed } = props
  const [, go] = useLocation()
  const { run } = useRun(runId)
  const source = run.data?.source
  const newest = useQuery({
    queryKey: ['runs', 'of', source],
    queryFn: () => readRuns({ ...(source && { source }), limit: 100 }),
    enabled: source !== undefined,
  })
  if (!run.data || newest.isPending) return null
  // The day is a proposal, so a list that could not be read keeps nobody from importing.
  const proposed = dayOfRows(run.data, newest.data?.data ?? [])
  return (
    <OperatorAct
      label={`Import ${counted(fixed.size, 'fixed row')}`}
      title={`Import ${counted(fixed.size, 'fixed row')} of import ${runId}?`}
      tone="main"
      fields={[
        {
          ...{ name: 'as_of', label: 'As of the day', kind: 'date', initial: proposed },
          hint: 'Rows of a day before the newest file are skipped where that file covers their partition of the register. A later day overwrites what newer files say.',
        },
      ]}
      run={async ({ as_of = '' }) => {
        const rows = [...fixed].toSorted(([a], [b]) => a - b).map(([, cells]) => cells)
        const content = new Blob([csvOf([header, ...rows])])
        const name = `fixed-of-import-${runId}.csv`
        const { upload_id } = await uploadSnapshot(content, { name, onProgress: () => {} })
        return startRun({
          ...{ source: source as SourceName, upload_id, mode: 'delta', force: false, dry_run: false },
          ...(as_of && { as_of }),
        })
      }}
      says={({ run_id }) => `Import ${run_id} has begun.`}
      done={({ run_id }) => go(`/runs/${run_id}`)}
    >
      <p>They are imported as a delta: nothing is closed, and rows that are still wrong are rejected again.</p>
    </OperatorAct>
  )
}

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quotedWhereNeeded).join(',')}\r\n`).join('')

const quotedWhereNeeded = (cell: string): string =>
  /[",;\t|\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
