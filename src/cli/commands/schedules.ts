/** `panji schedules` and `panji schedule …`: what is due when; add, pause, resume, run out of turn, remove. */
import type { Command } from 'commander'
import { schedules } from '../../../config/schedules.ts'
import type { Db } from '../../db/db.ts'
import { bareAddress } from '../../domain/bare-address.ts'
import type { Secret } from '../../domain/secret.ts'
import { checkScheduledInput } from '../../ingest/input/scheduled-input.ts'
import { type HoldingRun, holderOf, readHoldingRuns, requireFreeSource } from '../../ingest/run/holding-runs.ts'
import { keepInput, sealedSchedules } from '../../ingest/run/source-address.ts'
import { slotsAfter } from '../../queue/schedule/due-slots.ts'
import {
  addSchedule,
  listSchedules,
  pauseSchedule,
  readSchedule,
  removeSchedule,
  resumeSchedule,
  type ScheduleRow,
  syncSchedules,
} from '../../queue/schedule/schedules.ts'
import { enqueueSchedule } from '../../queue/schedule/slot.ts'
import { sealingKey } from '../../secrets/canary.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'

interface AddOptions {
  readonly cron: string
  readonly timezone: string
  readonly source?: string
  readonly input?: string
  readonly job?: string
}

export const declareSchedules: Declare = (program, run) => {
  const declareList = (command: Command) =>
    command
      .description('list the schedules with their last and next run')
      .addHelpText('after', prints('[{name, cron, timezone, last_run, next_run}]'))
      .action(() => run(list))
  declareList(program.command('schedules'))

  const schedule = program.command('schedule').description('list the schedules, and work on one of them')
  declareList(schedule.command('list'))

  schedule
    .command('add')
    .description('fetch and ingest a source regularly, or run another job')
    .addHelpText('after', prints('the schedule'))
    .argument('<name>')
    .requiredOption('--cron <expression>', 'minute hour day month weekday')
    .option('--timezone <zone>', 'time zone of the expression', 'Asia/Kolkata')
    .option('--source <source>', 'what to ingest')
    .option('--input <file|folder|pattern|url>', 'where it is published, or the folder that its files are dropped into')
    .option('--job <job>', 'a job without payload instead, e.g. collect-words')
    .action((name: string, options: AddOptions) => {
      const ingests = options.source !== undefined && options.input !== undefined
      if (ingests === (options.job !== undefined)) throw new WrongUsage('give either --source and --input, or --job')
      return run((context) => add(context, name, options))
    })

  for (const [verb, act, description] of [
    ['pause', pauseSchedule, 'stop enqueueing its slots'],
    ['resume', resumeSchedule, 'enqueue its slots again'],
  ] as const) {
    schedule
      .command(verb)
      .description(description)
      .argument('<name>')
      .action((name: string) => run((context) => change(context, name, (db) => act(db, name))))
  }

  schedule
    .command('remove')
    .description('remove a schedule that was added')
    .argument('<name>')
    .action((name: string) =>
      run((context) =>
        withInstance(context, 'schedule remove', async ({ db }) => {
          await removeSchedule(db, name)
          context.out.answer({ name, removed: true }, fields)
        }),
      ),
    )

  schedule
    .command('run')
    .description('enqueue its job now, out of turn')
    .argument('<name>')
    .action((name: string) => run((context) => runNow(context, name)))
}

async function add(context: CommandContext, name: string, { cron, timezone, ...what }: AddOptions): Promise<void> {
  // Beside DATABASE_URL the workers may run elsewhere.
  const isHere = context.settings.databaseUrl === undefined
  const { source = '', input = '' } = what
  const checked = what.job === undefined ? await checkScheduledInput({ source, input }, isHere) : undefined
  await change(context, name, (db, secretKey) =>
    db.transaction(async (tx) => {
      const payload = checked ? { ...checked, ...keepInput(checked.input, await sealingKey(tx, secretKey)) } : {}
      await addSchedule(tx, { name, cron, timezone, job: what.job ?? 'fetch-source', payload })
    }),
  )
}

async function list(context: CommandContext): Promise<void> {
  await withInstance(context, 'schedules', async (instance) => {
    await keepInStep(instance)
    const held = await readHoldingRuns(instance.db)
    const rows = (await listSchedules(instance.db)).map((row) => describe(row, held))
    context.out.answer(rows, () =>
      table(
        ['name', 'cron', 'timezone', 'last run', 'next run', 'state'],
        rows.map((row) => [
          row.name,
          row.cron,
          row.timezone,
          localTime(row.last_run, row.timezone),
          localTime(row.next_run, row.timezone),
          row.paused
            ? 'paused'
            : row.held_by
              ? `held by run ${row.held_by.run_id} since ${row.held_by.since.toISOString()}`
              : 'active',
        ]),
      ),
    )
  })
}

async function change(
  context: CommandContext,
  name: string,
  act: (db: Db, secretKey: Secret) => Promise<void>,
): Promise<void> {
  await withInstance(context, 'schedule', async (instance) => {
    await keepInStep(instance)
    await act(instance.db, instance.secretKey)
    context.out.answer(
      describe(await readSchedule(instance.db, name), await readHoldingRuns(instance.db)),
      scheduleText,
    )
  })
}

async function runNow(context: CommandContext, name: string): Promise<void> {
  await withInstance(context, 'schedule run', (instance) =>
    withWorker(context, instance, async (queue) => {
      await keepInStep(instance)
      const schedule = await readSchedule(instance.db, name)
      await requireFreeSource(instance.db, name, schedule.payload)
      const jobId = await instance.db.transaction((tx) => enqueueSchedule(tx, queue, schedule))
      context.out.answer({ name, job: schedule.job, job_id: jobId }, fields)
    }),
  )
}

const keepInStep = async ({ db, secretKey }: OpenInstance): Promise<void> =>
  syncSchedules(db, await sealedSchedules(db, schedules, secretKey))

function describe(row: ScheduleRow, held: ReadonlyMap<string, HoldingRun>) {
  const next = row.pausedAt ? [] : slotsAfter(row.cron, row.timezone, new Date(), 3)
  return {
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    last_run: row.lastSlot,
    next_run: next[0] ?? null,
    next_runs: next,
    paused: row.pausedAt !== null,
    held_by: holderOf(held, row.payload) ?? null,
    job: row.job,
    payload: shown(row.payload),
  }
}

/** What is sealed is of no use to whoever reads the list. */
function shown({ sealed: _, ...payload }: Record<string, unknown>): Record<string, unknown> {
  const { input } = payload
  return typeof input === 'string' ? { ...payload, input: bareAddress(input) } : payload
}

type Described = ReturnType<typeof describe>

const scheduleText = (row: Described): string =>
  fields({
    ...row,
    last_run: localTime(row.last_run, row.timezone),
    next_run: localTime(row.next_run, row.timezone),
    next_runs: row.next_runs.map((at) => localTime(at, row.timezone)).join(', '),
  })

/** `2026-11-22 02:30`: people read a schedule in the time zone that it is kept in; --json answers UTC. */
function localTime(at: Date | null, timeZone: string): string {
  if (at === null) return '-'
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
}
