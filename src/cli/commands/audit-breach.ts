/**
 * `panji audit breach`: who and what was affected by a leaked credential, a taken-over account or an address, and since
 * when.
 */
import type { Command } from 'commander'
import { stringify } from 'csv-stringify/sync'
import { type BreachReport, breachReport } from '../../audit/breach-report.ts'
import { readToday } from '../../db/read-today.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { withInstance } from '../instance/with-instance.ts'
import { table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { dayArgument, readWhose, type WhoseOptions, withWhose } from './audit-filter.ts'
import type { RunAction } from './command.ts'
import { requireOrder } from './day-order.ts'

interface BreachOptions extends WhoseOptions {
  readonly since: string
  readonly to?: string
  readonly csv?: boolean
}

export function declareBreach(auditLog: Command, run: RunAction): void {
  withWhose(auditLog.command('breach').description('list accounts and records affected by a leak, by class of data'))
    .requiredOption('--since <YYYY-MM-DD>', 'first day, in India', dayArgument)
    .option('--to <YYYY-MM-DD>', 'last day, in India', dayArgument)
    .option('--csv', 'print only the records, as CSV')
    .action((options: BreachOptions) => {
      requireOrder({ first: options.since, last: options.to })
      return run((context) => report(context, options))
    })
}

async function report(context: CommandContext, options: BreachOptions): Promise<void> {
  await withInstance(context, 'audit breach', async ({ db }) => {
    const today = await readToday(db)
    if (options.since > today) throw new WrongUsage(`--since: ${options.since} is still to come; today is ${today}`)
    const whose = await readWhose(db, options)
    const found = await breachReport(db, { ...whose, from: options.since, to: options.to })
    context.out.answer({ since: options.since, to: options.to ?? null, ...found }, () =>
      options.csv ? csvOf(found) : textOf(options, found),
    )
  })
}

const columns = ['identifier', 'kind', 'data_classes', 'readings', 'first_at', 'last_at'] as const

function csvOf({ records }: BreachReport): string {
  const rows = records.map((record) => [
    record.identifier,
    record.kind,
    record.data_classes.join(' '),
    ...[record.readings, record.first_at, record.last_at],
  ])
  return stringify([[...columns], ...rows]).trimEnd()
}

const instantOf = (at: string | null) => (at === null ? '-' : shownInstant(new Date(at)))

/** More are in --csv and --json. */
const recordsShown = 20

function textOf({ since, to }: BreachOptions, found: BreachReport): string {
  const { records, classes, accounts, acts } = found
  const kinds = Map.groupBy(records, ({ kind }) => kind)
  const rows = (count: number, text: string) => (count === 0 ? [] : [text, ''])
  return [
    `From ${since} ${to === undefined ? 'on' : `to ${to}`}: ${found.readings} readings, ${records.length} records, ${accounts.length} accounts`,
    `first ${instantOf(found.first_at)}, last ${instantOf(found.last_at)}`,
    `credentials: ${found.credentials.join(', ') || '-'}`,
    `addresses: ${found.addresses.join(', ') || '-'}`,
    '',
    ...rows(
      classes.length,
      table(
        ['class', 'readings', 'shown'],
        classes.map((each) => [each.data_class, each.readings, each.records]),
      ),
    ),
    ...rows(
      kinds.size,
      table(
        ['kind', 'records'],
        [...kinds].map(([kind, each]) => [kind, each.length]),
      ),
    ),
    ...rows(
      accounts.length,
      table(
        ['account', 'readings', 'acts', 'first', 'last'],
        accounts.map((each) => [each.account_id, each.readings, each.acts, each.first_at, each.last_at]),
      ),
    ),
    ...rows(
      acts.length,
      table(
        ['act', 'times'],
        acts.map((each) => [each.action, each.times]),
      ),
    ),
    ...rows(
      records.length,
      table(
        [...columns],
        records
          .slice(0, recordsShown)
          .map((each) => [
            each.identifier,
            each.kind,
            each.data_classes.join(' '),
            each.readings,
            each.first_at,
            each.last_at,
          ]),
      ),
    ),
    ...(records.length > recordsShown ? [`and ${records.length - recordsShown} more: --csv lists all of them`] : []),
  ].join('\n')
}
