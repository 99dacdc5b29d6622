/** `panji rejects`: the rows a run refused, with line, code, message and the raw text. */
import { stringify } from 'csv-stringify/sync'
import { listRejects } from '../../ingest/runs.ts'
import { withInstance } from '../instance/with-instance.ts'
import { table } from '../output.ts'
import type { Declare } from './command.ts'
import { runIdArgument } from './runs.ts'

export const declareRejects: Declare = (program, run) => {
  program
    .command('rejects')
    .description('list the rows that a run rejected')
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--csv', 'print CSV: line, code, message, raw')
    .action((runId: number, options: { csv?: boolean }) =>
      run((context) =>
        withInstance(context, 'rejects', async ({ db }) => {
          const rejects = await listRejects(db, runId)
          context.out.answer(rejects, () =>
            options.csv
              ? stringify([...rejects], { header: true, columns: ['line', 'code', 'message', 'raw'] }).trimEnd()
              : table(
                  ['line', 'code', 'message', 'raw'],
                  rejects.map((each) => [each.line, each.code, each.message, each.raw]),
                ),
          )
        }),
      ),
    )
}
