/** Schedules for operators over HTTP: what is due when; set, pause, run out of turn, remove. Each act leaves an audit row. */
import { z } from 'zod'
import type { Tx } from '../../db/db.ts'
import { type HoldingRun, holderOf, readHoldingRuns, requireFreeSource } from '../../ingest/run/holding-runs.ts'
import { keepInput, shownInput } from '../../ingest/run/source-address.ts'
import {
  askForSlot,
  dropSchedule,
  keepSchedule,
  setPaused,
  tellSchedule,
  tellSchedules,
} from '../../queue/schedule/asked-schedules.ts'
import { slotsAfter } from '../../queue/schedule/due-slots.ts'
import type { ScheduleRow } from '../../queue/schedule/schedules.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { type Actor, audit } from '../../trail/audit.ts'
import { timestamp } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody, plainText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { RemoteAddress, SourceName } from './admin-intake.ts'

const Schedule = z
  .object({
    name: z.string(),
    cron: z.string().describe('Minute hour day month weekday'),
    timezone: z.string(),
    job: z.string(),
    source: z.string().nullable().describe('What it takes in, where it does'),
    input: z.string().nullable().describe('From where, without credentials'),
    origin: z.enum(['config', 'operator']).describe('Shipped with Panji, or added'),
    paused: z.boolean(),
    held_by: z
      .object({ run_id: z.number(), since: timestamp('of its beginning') })
      .nullable()
      .describe('The run that waits for a decision; until it is decided on, the schedule takes nothing in'),
    last_run: timestamp('of the newest slot').nullable(),
    next_run: timestamp('of the next slot').nullable(),
    next_runs: z.array(timestamp()).describe('The next three; none while it is paused'),
  })
  .meta({ id: 'Schedule' })

const Wish = z
  .strictObject({
    name: plainText(63).describe('Small letters, digits and hyphens'),
    cron: plainText(100).describe('Minute hour day month weekday'),
    timezone: plainText(100).default('Asia/Kolkata').describe('That the expression is read in'),
    source: SourceName.optional().describe('What to take in'),
    address: RemoteAddress.optional().describe(
      'Where it is published; folders are watched by `panji schedule add` alone',
    ),
    job: plainText(100).optional().describe('A job without payload instead, such as collect-words'),
  })
  .refine(({ source, address, job }) => (job === undefined) === (source !== undefined && address !== undefined), {
    error: 'name either source and address, or job',
  })
  .meta({
    examples: [
      { name: 'nightly', cron: '30 2 * * *', source: 'mca-companies', address: 'https://example.in/companies.csv' },
    ],
  })

const SchedulePath = z.object({ name: z.string().meta({ description: 'Of the schedule', examples: ['nightly'] }) })

export const adminScheduleRoutes: Routes = async (app, { db, queue, delivery: { secretKey } }) => {
  const act = <T>(actor: Actor, action: string, name: string, work: (tx: Tx) => Promise<T>, detail = {}): Promise<T> =>
    db.transaction(async (tx) => {
      const done = await work(tx)
      await audit(tx, { actor, action, subject: name, detail })
      return done
    })

  app.get(
    '/admin/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        ...admin,
        summary: 'Schedules with their last and next slots',
        description: 'Those that ship with Panji and those that operators added, by name.',
        response: { 200: z.object({ data: z.array(Schedule) }) },
      },
    },
    async () => {
      const held = await readHoldingRuns(db)
      return { data: (await tellSchedules(db)).map((row) => told(row, held)) }
    },
  )

  app.post(
    '/admin/schedules',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'setSchedule',
        ...admin,
        summary: 'Add a schedule, or change one that was added',
        description: 'By its name. A changed time table counts from now on. Credentials of an address are sealed.',
        body: Wish,
        response: { 200: Schedule },
      },
    },
    async (request) => {
      const { name, cron, timezone, source, address, job } = request.body
      const input = address === undefined ? {} : { input: shownInput(address) }
      const detail = { cron, timezone, ...(source && { source }), ...input, ...(job && { job }) }
      const set = async (tx: Tx): Promise<ScheduleRow> => {
        const kept = address === undefined ? {} : { source, ...keepInput(address, await sealingKey(tx, secretKey)) }
        await keepSchedule(tx, { name, cron, timezone, job: job ?? 'fetch-source', payload: kept })
        return tellSchedule(tx, name)
      }
      return told(await act(operatorOf(request), 'set schedule', name, set, detail), await readHoldingRuns(db))
    },
  )

  app.delete(
    '/admin/schedules/:name',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'removeSchedule',
        ...admin,
        summary: 'Remove a schedule that was added',
        description: 'One that ships with Panji would come back: pause it.',
        params: SchedulePath,
        body: noBody,
        response: { 200: z.object({ name: z.string(), removed: z.literal(true) }) },
      },
    },
    async (request) => {
      const { name } = request.params
      await act(operatorOf(request), 'remove schedule', name, (tx) => dropSchedule(tx, name))
      return { name, removed: true as const }
    },
  )

  app.post(
    '/admin/schedules/:name/run',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'runSchedule',
        ...admin,
        summary: 'Run the job of a schedule now',
        description:
          'Out of turn; its slots stay as they are. A worker enqueues it. Refused while a run of its source waits for a decision.',
        params: SchedulePath,
        body: noBody,
        response: { 202: Schedule },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      await requireFreeSource(db, name, (await tellSchedule(db, name)).payload)
      await act(operatorOf(request), 'run schedule', name, (tx) => askForSlot(tx, queue, name))
      return reply.code(202).send(told(await tellSchedule(db, name), await readHoldingRuns(db)))
    },
  )

  for (const [verb, paused, operationId, summary, description] of [
    ['pause', true, 'pauseSchedule', 'Stop the slots of a schedule', 'Until it is resumed.'],
    [
      'resume',
      false,
      'resumeSchedule',
      'Let the slots of a schedule come again',
      'Those that passed are not caught up.',
    ],
  ] as const) {
    app.post(
      `/admin/schedules/:name/${verb}`,
      {
        schema: {
          operationId,
          ...admin,
          summary,
          description,
          params: SchedulePath,
          body: noBody,
          response: { 200: Schedule },
        },
      },
      async (request) => {
        const { name } = request.params
        const row = await act(operatorOf(request), `${verb} schedule`, name, (tx) => setPaused(tx, name, paused))
        return told(row, await readHoldingRuns(db))
      },
    )
  }
}

function told(row: ScheduleRow, held: ReadonlyMap<string, HoldingRun>): z.output<typeof Schedule> {
  const { name, cron, timezone, job, payload, origin, pausedAt, lastSlot } = row
  const { source, input } = payload
  const holding = holderOf(held, payload)
  const next = pausedAt ? [] : slotsAfter(cron, timezone, new Date(), 3).map((slot) => slot.toISOString())
  return {
    ...{ name, cron, timezone, job, origin, paused: pausedAt !== null },
    held_by: holding ? { run_id: holding.run_id, since: holding.since.toISOString() } : null,
    source: typeof source === 'string' ? source : null,
    input: typeof input === 'string' ? shownInput(input) : null,
    last_run: lastSlot?.toISOString() ?? null,
    next_run: next[0] ?? null,
    next_runs: next,
  }
}
