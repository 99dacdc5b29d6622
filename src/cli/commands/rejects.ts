/**
 * `panji rejects`: the rows that a run rejected, with line, code, message and the raw text; as CSV to fix and ingest
 * again.
 */

import { nearest } from '../../domain/nearest.ts'
import { AppError } from '../../errors.ts'
import { cellReader } from '../../ingest/conduct/reject-cells.ts'
import { rejectsCsv } from '../../ingest/conduct/rejects-csv.ts'
import type { RunReport } from '../../ingest/conduct/run-report.ts'
import { rejectCodes } from '../../ingest/run/reject-codes.ts'
import { getRun, listRejects, type RunRecord } from '../../ingest/run/runs.ts'
import { table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'
import { runIdArgument } from './runs.ts'

function rejectsOfCode(run: RunRecord, code: string): number {
  return (run.report as Partial<RunReport>).rejects?.[code] ?? 0
}

/** @throws AppError BAD_REQUEST for an unknown reject code. */
function requireRejectCode(code: string): void {
  const known = Object.keys(rejectCodes)
  if (known.includes(code)) return
  const near = nearest(code, known, 3)
  const hint = near === undefined ? `The codes are ${known.join(', ')}.` : `Did you mean ${near}?`
  throw new AppError('BAD_REQUEST', `Unknown reject code ${code}. ${hint}`)
}

export const declareRejects: Declare = (program, run) => {
  program
    .command('rejects')
    .description('list the rows that a run rejected')
    .addHelpText('after', prints('[{line, code, message, raw}]'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--csv', "print CSV to fix and ingest again: the file's columns, then line, code, message, raw")
    .option('--code <code>', 'only rejects of this code')
    .action((runId: number, options: { csv?: boolean; code?: string }) =>
      onInstance(run, 'rejects', async ({ db }, context) => {
        const record = await getRun(db, runId)
        if (options.code !== undefined) requireRejectCode(options.code)
        const rejects = await listRejects(db, runId, options.code)
        const counted = options.code === undefined ? record.rejected : rejectsOfCode(record, options.code)
        if (rejects.length < counted) {
          context.out.note(
            `${rejects.length} of ${counted} rejects are kept; the others are counted only (rejectBounds in config/input-bounds.ts)`,
          )
        }
        const read = options.csv === true ? await (await cellReader(db, record))(rejects) : undefined
        context.out.answer(rejects, () =>
          read
            ? rejectsCsv(record, read).trimEnd()
            : table(
                ['line', 'code', 'message', 'raw'],
                rejects.map((each) => [each.line, each.code, each.message, each.raw]),
              ),
        )
      }),
    )
}
