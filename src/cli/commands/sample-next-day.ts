/** `panji sample next-day`: writes the files of the day after the sample world, for `panji ingest`. */
import { join } from 'node:path'
import type { Command as Commander } from 'commander'
import { type KnownCompany, writeNextDay } from '../../../sample/next-day.ts'
import { readToday } from '../../db/read-today.ts'
import { AppError } from '../../errors.ts'
import { sampleRequester } from '../../ingest/run/sample-world.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { sampleSnapshotsIn } from '../start/sample-file.ts'
import { prints, type RunAction } from './command.ts'

export function declareSampleNextDay(sample: Commander, run: RunAction): void {
  sample
    .command('next-day')
    .description('write the next day of the sample world: new registrations, changes and closures, with their contacts')
    .addHelpText('after', prints('{files: [{source, path, rows}]}'))
    .option(
      '--out <dir>',
      'folder to write into (default: one in the data directory); `sample remove` keeps what is imported from others',
    )
    .action(({ out }: { out?: string }) => run((context) => nextDay(context, out)))
}

async function nextDay(context: CommandContext, out: string | undefined): Promise<void> {
  await withInstance(context, 'sample next-day', async ({ db }) => {
    const day = await readToday(db)
    const { lastSerial, known } = await readKnown(db)
    if (known.length === 0)
      throw new AppError(
        'CONFLICT',
        'There is no sample world to continue: start Panji with an empty data directory first.',
      )
    const outDir = out ?? join(sampleSnapshotsIn(context.settings.dataDir), `next-day-${lastSerial - serialsFrom + 1}`)
    const answer = await writeNextDay({ outDir, day, lastSerial, known, signal: context.signal })
    context.out.answer(answer, ({ files }) =>
      [
        table(
          ['source', 'rows', 'path'],
          files.map((file) => [file.source, file.rows, file.path]),
        ),
        '',
        'Import them in this order:',
        ...files.map(({ source, path }) => `  panji ingest ${source} ${path} --mode delta`),
      ].join('\n'),
    )
  })
}

const serialsFrom = 900_000

async function readKnown(db: OpenInstance['db']) {
  const [row] = await db.query<{ last: number }>(
    `SELECT coalesce(max(right(cin, 6)::integer), $1)::integer AS last FROM registry.company
     WHERE cin ~ '^U62099GA[0-9]{4}PTC9[0-9]{5}$'`,
    [serialsFrom],
  )
  const known = await db.query<KnownCompany>(
    `SELECT cin, coalesce(paid_up_capital, 0) AS "paidUp", jsonb_build_object('CompanyName', name, 'CompanyROCcode', roc_code,
       'CompanyCategory', category, 'CompanySubCategory', sub_category, 'CompanyClass', class,
       'CompanyRegistrationdate_date', incorporated_on::text, 'Registered_Office_Address', registered_address,
       'Listingstatus', listed, 'CompanyStateCode', lower(state), 'CompanyIndian/Foreign Company', origin,
       'nic_code', lpad(nic_code::text, 5, '0'), 'CompanyIndustrialClassification', nic_description) AS cells
     FROM registry.company WHERE company_type = 'Company' AND status = 'Active' AND closed_on IS NULL
       AND first_run_id IN (SELECT run_id FROM ingest.run WHERE requested_by = $1)
     ORDER BY as_of, cin LIMIT 4`,
    [sampleRequester],
  )
  return { lastSerial: row?.last ?? serialsFrom, known }
}
