/** `panji rejects`: the rows a run refused, with line, code, message and the raw text; as CSV to mend and ingest again. */
import { rejectsCsv } from '../../ingest/rejects-csv.ts'
import { getRun, listRejects } from '../../ingest/runs.ts'
import { withInstance } from '../instance/with-instance.ts'
import { table } from '../output.ts'
import type { Declare } from './command.ts'
import { runIdArgument } from './runs.ts'

export const declareRejects: Declare = (program, run) => {
  program
    .command('rejects')
    .description('list the rows that a run rejected')
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--csv', "print CSV to mend and ingest again: the file's columns, then line, code, message, raw")
    .option('--code <code>', 'only rejects of this code')
    .action((runId: number, options: { csv?: boolean; code?: string }) =>
      run((context) =>
        withInstance(context, 'rejects', async ({ db }) => {
          const record = await getRun(db, runId)
          const rejects = await listRejects(db, runId, options.code)
          context.out.answer(rejects, () =>
            options.csv
              ? rejectsCsv(record, rejects).trimEnd()
              : table(
                  ['line', 'code', 'message', 'raw'],
                  rejects.map((each) => [each.line, each.code, each.message, each.raw]),
                ),
          )
        }),
      ),
    )
}
