/** `panji quality`: the data quality of a source, run by run. */
import { Argument } from 'commander'
import { sources } from '../../../config/sources/index.ts'
import listQuality from '../../api/operations/runs/list-quality.ts'
import { qualityCsv } from '../../ingest/conduct/quality-csv.ts'
import { printedCsv, table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { onOperations } from './on-operations.ts'

const percent = (share: number | null): string => (share === null ? '-' : `${(share * 100).toFixed(1)} %`)
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, each) => total + each, 0)

export const declareQuality: Declare = (program, run) => {
  program
    .command('quality')
    .description("list the data quality of a source's files, newest run first")
    .addHelpText('after', prints('[{run_id, rejects, repaired, unknown_words, empty_shares, districts_resolved, …}]'))
    .addArgument(new Argument('<source>', 'the source').choices(sources.map(({ name }) => name)))
    .option('--csv', 'print CSV, with a column for each count and share')
    .action((source: string, options: { csv?: boolean }) =>
      onOperations(run, 'quality', async ({ call }, context) => {
        const { data: runs } = await call(listQuality, { query: { source } })
        context.out.answer(runs, () =>
          options.csv
            ? printedCsv(qualityCsv(runs))
            : table(
                [
                  'run',
                  'status',
                  'as of',
                  'read',
                  'rejected',
                  'checked',
                  'repaired',
                  'unknown',
                  'districts',
                  'emptiest',
                  'drift',
                ],
                runs.map((each) => {
                  const [emptiest] = Object.entries(each.empty_shares).toSorted(([, a], [, b]) => b - a)
                  return [
                    ...[each.run_id, each.status, each.as_of, each.rows_read, each.rejected, each.checked],
                    ...[sum(each.repaired), sum(each.unknown_words), percent(each.districts_resolved)],
                    ...[emptiest ? `${emptiest[0]} ${percent(emptiest[1])}` : '-', each.header_drift ? 'yes' : '-'],
                  ]
                }),
              ),
        )
      }),
    )
}
