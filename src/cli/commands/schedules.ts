/** `panji schedules` and `panji schedule …`: list, add, pause, resume, run and remove schedules. */
import { type Command, Option } from 'commander'
import { schedules } from '../../../config/schedules.ts'
import listSchedules from '../../api/operations/schedules/list.ts'
import pauseSchedule from '../../api/operations/schedules/pause.ts'
import removeSchedule from '../../api/operations/schedules/remove.ts'
import resumeSchedule from '../../api/operations/schedules/resume.ts'
import type { ScheduleReply } from '../../api/operations/schedules/schedule-schemas.ts'
import { checkScheduledInput } from '../../ingest/input/scheduled-input.ts'
import { requireFreeSource } from '../../ingest/run/holding-runs.ts'
import { keepInput, sealedSchedules } from '../../ingest/run/source-address.ts'
import { addSchedule, readSchedule, syncSchedules } from '../../queue/schedule/schedules.ts'
import { runScheduleNow } from '../../queue/schedule/slot.ts'
import { sealingKey } from '../../secrets/canary.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withOperations } from '../instance/with-operations.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { onOperations } from './on-operations.ts'

interface AddOptions {
  readonly cron: string
  readonly timezone: string
  readonly source?: string
  readonly input?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly job?: string
}

export const declareSchedules: Declare = (program, run) => {
  const declareList = (command: Command) =>
    command
      .description('list the schedules with their last and next run')
      .addHelpText(
        'after',
        prints('[{name, cron, timezone, last_run, next_run, next_runs, paused, held_by, job, payload}]'),
      )
      .action(() => run(list))
  declareList(program.command('schedules'))

  const schedule = program.command('schedule').description('list and manage schedules')
  declareList(schedule.command('list'))

  schedule
    .command('add')
    .description('fetch and ingest a source regularly, or run another job')
    .addHelpText('after', prints('the schedule'))
    .argument('<name>')
    .requiredOption('--cron <expression>', 'minute hour day month weekday')
    .option('--timezone <zone>', 'time zone of the expression', 'Asia/Kolkata')
    .option('--source <source>', 'what to ingest')
    .option('--input <file|folder|pattern|url>', 'URL of the published file, or the folder that files are dropped into')
    .addOption(new Option('--mode <mode>', "of its files; default: the source's").choices(['snapshot', 'delta']))
    .option('--job <job>', 'a job without payload instead, such as collect-words')
    .action((name: string, options: AddOptions) => {
      const ingests = options.source !== undefined && options.input !== undefined
      if (ingests === (options.job !== undefined)) throw new WrongUsage('give either --source with --input, or --job')
      if (options.mode && !ingests) throw new WrongUsage('--mode is of --source and --input')
      return run((context) => add(context, name, options))
    })

  for (const [verb, act, description] of [
    ['pause', pauseSchedule, 'pause a schedule: its slots are skipped'],
    ['resume', resumeSchedule, 'resume a schedule'],
  ] as const) {
    schedule
      .command(verb)
      .description(description)
      .argument('<name>')
      .action((name: string) =>
        onOperations(run, `schedule ${verb}`, async ({ call }, context, instance) => {
          await keepInStep(instance)
          context.out.answer(shown(await call(act, { params: { name } })), scheduleText)
        }),
      )
  }

  schedule
    .command('remove')
    .description('remove a schedule that was added')
    .argument('<name>')
    .action((name: string) =>
      onOperations(run, 'schedule remove', async ({ call }, context) => {
        context.out.answer(await call(removeSchedule, { params: { name } }), fields)
      }),
    )

  schedule
    .command('run')
    .description('enqueue its job now, in addition to its slots')
    .argument('<name>')
    .action((name: string) => run((context) => runNow(context, name)))
}

/** A path can only be given at the terminal of its machine, so no operation accepts one. */
async function add(context: CommandContext, name: string, { cron, timezone, ...what }: AddOptions): Promise<void> {
  // With DATABASE_URL the workers may run elsewhere.
  const isHere = context.settings.databaseUrl === undefined
  const { source = '', input = '', mode } = what
  const checked = what.job === undefined ? await checkScheduledInput({ source, input }, isHere) : undefined
  await withOperations(context, 'schedule add', async ({ call }, instance) => {
    await keepInStep(instance)
    const { db, secretKey } = instance
    await db.transaction(async (tx) => {
      const payload = checked
        ? { ...checked, ...keepInput(checked.input, await sealingKey(tx, secretKey)), ...(mode && { mode }) }
        : {}
      await addSchedule(tx, { name, cron, timezone, job: what.job ?? 'fetch-source', payload })
    })
    const added = (await call(listSchedules)).data.filter((each) => each.name === name)
    for (const each of added) context.out.answer(shown(each), scheduleText)
  })
}

async function list(context: CommandContext): Promise<void> {
  await withOperations(context, 'schedules', async ({ call }, instance) => {
    await keepInStep(instance)
    const { data } = await call(listSchedules)
    context.out.answer(data.map(shown), (rows) =>
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
              ? `held by run ${row.held_by.run_id} since ${localTime(row.held_by.since, row.timezone)}`
              : 'active',
        ]),
      ),
    )
  })
}

async function runNow(context: CommandContext, name: string): Promise<void> {
  await withInstance(context, 'schedule run', (instance) =>
    withWorker(context, instance, async (queue, takes) => {
      await keepInStep(instance)
      const schedule = await readSchedule(instance.db, name)
      await requireFreeSource(instance.db, name, schedule.payload)
      const jobId = await instance.db.transaction((tx) => runScheduleNow(tx, queue, schedule))
      context.out.answer({ name, job: schedule.job, job_id: jobId }, fields)
      if (!takes(schedule.job)) {
        context.out.note('The job waits for a worker of `panji start`, whose settings it needs; none is online.')
      }
    }),
  )
}

const keepInStep = async ({ db, secretKey }: OpenInstance): Promise<void> =>
  syncSchedules(db, await sealedSchedules(db, schedules, secretKey))

/** The payload of the job says what is fetched from where. */
const shown = ({ name, cron, timezone, source, input, mode, origin: _, job, ...when }: ScheduleReply) => ({
  ...{ name, cron, timezone, last_run: when.last_run, next_run: when.next_run, next_runs: when.next_runs },
  ...{
    paused: when.paused,
    held_by: when.held_by,
    job,
    payload: source === null ? {} : { input, source, ...(mode && { mode }) },
  },
})

const scheduleText = (row: ReturnType<typeof shown>): string =>
  fields({
    ...row,
    last_run: localTime(row.last_run, row.timezone),
    next_run: localTime(row.next_run, row.timezone),
    next_runs: row.next_runs.map((at) => localTime(at, row.timezone)).join(', '),
  })

/** `2026-11-22 02:30`: people read a schedule in its own time zone; --json has UTC. */
function localTime(at: string | null, timeZone: string): string {
  if (at === null) return '-'
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))
}
