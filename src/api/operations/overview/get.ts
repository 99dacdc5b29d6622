import { z } from 'zod'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { createOverview } from '../../overview.ts'
import example from './get.example.json' with { type: 'json' }

const Answer = z
  .object({
    read_at: timestamp('at which this was read; answers are cached for two seconds'),
    worker: z.object({ running: z.boolean() }),
    keys: z.object({ secret_key_ok: z.boolean().describe('Whether the secret key matches the database') }),
    queues: z.array(
      z
        .object({
          queue: z.string(),
          waiting: z.number(),
          active: z.number(),
          oldest_seconds: z
            .number()
            .nullable()
            .describe('How long the oldest job has been due without a worker taking it'),
        })
        .meta({ id: 'QueueState' }),
    ),
    queue_warnings: z
      .array(z.object({ type: z.string(), count: z.number(), newest: z.string() }).meta({ id: 'QueueWarning' }))
      .describe('In the last hour'),
    dead_letters: z.number().describe('Jobs that failed for good'),
    sources: z
      .array(
        z
          .object({
            source: z.string(),
            taken_in_at: timestamp('at which a run last succeeded').nullable(),
            last_run_id: z.number().nullable(),
            last_status: z.string().nullable(),
            waiting_runs: z.array(z.number()).describe('Runs that need approval'),
          })
          .meta({ id: 'SourceState' }),
      )
      .describe('Every configured source'),
    destinations: z
      .record(z.string(), z.number())
      .describe('Number of them by status')
      .meta({ examples: [{ active: 3, broken: 1 }] }),
    deliveries: z
      .object({ pushes: z.number(), oldest_seconds: z.number().nullable() })
      .describe('Orders being delivered to CRMs that are not paused, and how long ago the oldest was requested'),
    broken_destinations: z
      .array(
        z
          .object({
            destination_id: uuid('ID of the destination'),
            user_id: uuid('ID of the account'),
            name: z.string(),
            reason: z.string().nullable(),
          })
          .meta({ id: 'BrokenDestination' }),
      )
      .describe('The first twenty'),
    ledger: z
      .object({ proved_at: timestamp(), transfers: z.number(), violations: z.number() })
      .nullable()
      .describe('Result of the last nightly verification'),
    conditions: z
      .array(
        z
          .object({
            type: z.string(),
            severity: z.enum(['page', 'ticket']),
            summary: z.string(),
            remedy: z.string(),
            since: timestamp(),
            told_at: timestamp('at which operators were last notified').nullable(),
          })
          .meta({ id: 'OpenCondition' }),
      )
      .describe(
        'Conditions that need attention, as a worker found them within the last minute; operators are notified of the same',
      ),
    backup: z.object({
      written_at: timestamp('at which one was last fully written').nullable(),
      restored_at: timestamp('at which one was last restored as a test').nullable(),
    }),
    sandbox_crms: z.boolean().describe('Sandbox CRMs run alongside it; POST /admin/sandbox/open leads to their pages'),
  })
  .meta({ id: 'Overview' })

export default operation({
  id: 'getOverview',
  method: 'GET',
  path: '/admin/overview',
  summary: 'Get the health of the installation',
  description:
    'Worker, queues, dead letters, sources and waiting runs, destinations, the last verification of the ledger, the newest backup, the secret key, and the conditions that need attention. Cheap: read once in two seconds, however many ask.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: Answer },
  example,
  prepare: ({ db, keyRing, settings }) => {
    const overview = createOverview(db, () => keyRing.check(db))
    return async () => ({ ...(await overview()), sandbox_crms: settings.sandboxPages !== undefined })
  },
})
