/** Conditions of the instance arise, are told to operators once an hour at most, together, and are resolved. */
import { beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../../../src/domain/secret.ts'
import { openConditions } from '../../../src/health/open-conditions.ts'
import { type WatchParts, watchConditions } from '../../../src/health/watch-conditions.ts'
import type { AlertData } from '../../../src/notify/operators/alert-message.ts'
import { addChannel } from '../../../src/notify/operators/channels.ts'
import { startQueue } from '../../../src/queue/queue.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount } from '../orders/world.ts'

const secretKey = new Secret('a key of sixteen characters or more')
const database = useTestDatabase()
const db = () => database.db
const parts = (): WatchParts => ({
  ...{ db: database.as('panji_worker'), secretKey, channels: [], instance: 'one' },
  ...{ dataDir: process.cwd(), publicUrl: undefined },
})
const watch = (change: Partial<WatchParts> = {}) => watchConditions({ ...parts(), ...change })
const address = 'https://operators.example.in/hook'
const add = () =>
  db().transaction((tx) =>
    addChannel(tx, secretKey, {
      kind: 'webhook',
      address,
      origin: 'console',
      createdBy: 'operator:default',
      allowPrivate: true,
    }),
  )

/** As if what was noted had been noted so long before. */
const later = (hours: number) =>
  db().execute(
    `UPDATE runtime.condition SET since = since - $1 * interval '1 hour', told_at = told_at - $1 * interval '1 hour'`,
    [hours],
  )
/** What the outbox holds, the oldest first, as `type`, and `-type` where it is resolved; emptied. */
async function told(): Promise<string[][]> {
  const rows = await db().query<{ body: AlertData }>(
    `WITH gone AS (DELETE FROM runtime.alert_message RETURNING created_at, body) SELECT body FROM gone ORDER BY created_at`,
  )
  return rows.map(({ body }) => [
    ...body.opened.map(({ type }) => type).toSorted(),
    ...body.resolved.map(({ type }) => `-${type}`).toSorted(),
  ])
}

beforeEach(async () => {
  await db().execute(
    `DELETE FROM runtime.alert_message; DELETE FROM runtime.alert_channel; DELETE FROM runtime.condition`,
  )
  await db().execute(`DELETE FROM ingest.run; DELETE FROM runtime.schedule`)
})

const waitingRun = async (source = 'nic') => {
  const [run] = await db().query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, started_at)
     VALUES ($1, 'held.csv', 'snapshot', '2025-01-01', 'needs_approval', now() - interval '1 minute') RETURNING run_id AS id`,
    [source],
  )
  return run?.id
}
const decide = () => db().execute(`UPDATE ingest.run SET status = 'discarded' WHERE status = 'needs_approval'`)

describe('a run that needs approval', () => {
  test('is told at once, again after 4 and after 24 hours, not in between, and once more when it is decided on', async () => {
    await add()
    const run = await waitingRun()
    expect(await watch()).toMatchObject({ opened: 1, resolved: 0 })
    const [message] = await db().query<{ body: AlertData }>('SELECT body FROM runtime.alert_message')
    expect(message?.body.opened).toEqual([
      {
        type: 'import.needs_approval',
        cause: `import.needs_approval run=${run} source=nic`,
        severity: 'ticket',
        summary: expect.stringMatching(new RegExp(`^import ${run} of nic needs approval, waiting for 1m \\d+s$`)),
        remedy: expect.stringContaining('panji approve'),
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
    await told()
    const hours: number[] = []
    for (let hour = 1; hour <= 30; hour++) {
      await later(1)
      await watch()
      await watch()
      if ((await told()).flat().includes('import.needs_approval')) hours.push(hour)
    }
    expect(hours).toEqual([4, 24])
    await decide()
    await watch()
    expect(await told()).toEqual([['-import.needs_approval']])
    await watch()
    expect(await told()).toEqual([])
  })

  test('that comes back within the hour is told after it, and one that was never told is not resolved aloud', async () => {
    await add()
    const again = async (status: string) => {
      await db().execute(`UPDATE ingest.run SET status = $1`, [status])
      await watch()
      return told()
    }
    await waitingRun()
    await watch()
    expect(await told()).toEqual([['import.needs_approval']])
    expect(await again('discarded')).toEqual([['-import.needs_approval']])
    await later(0.5)
    expect(await again('needs_approval')).toEqual([])
    expect(await again('discarded')).toEqual([])
    expect(await again('needs_approval')).toEqual([])
    await later(0.6)
    await watch()
    expect(await told()).toEqual([['import.needs_approval']])
  })

  test('is told together with what else there is, to every channel once, by however many processes look at once', async () => {
    await add()
    await add()
    await waitingRun('nic')
    await waitingRun('pincodes')
    await Promise.all(Array.from({ length: 8 }, () => watch()))
    expect(await told()).toEqual([
      ['import.needs_approval', 'import.needs_approval'],
      ['import.needs_approval', 'import.needs_approval'],
    ])
    await decide()
    await Promise.all(Array.from({ length: 8 }, () => watch()))
    expect(await told()).toHaveLength(2)
  })

  test('is told to the first channel that is added, however long it has waited', async () => {
    await waitingRun()
    await watch()
    await later(30)
    await watch()
    expect(await told()).toEqual([])
    const open = await openConditions(database.as('panji_api'))
    expect(open.filter(({ type }) => type === 'import.needs_approval')).toMatchObject([{ notifiedAt: null }])
    await add()
    await watch()
    expect((await told()).flat()).toContain('import.needs_approval')
  })
})

/** How each arises in the tables that the flows write, and how it ends. */
const arising: readonly (readonly [string, string, string])[] = [
  [
    'import.failed',
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at) VALUES ('nic', 'a', 'snapshot', '2025-01-01', 'failed', now())`,
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at) VALUES ('nic', 'a', 'snapshot', '2025-01-01', 'no_op', now())`,
  ],
  [
    'schedule.held',
    `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('nic', 'a', 'snapshot', '2025-01-01', 'needs_approval');
     INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin)
     VALUES ('nightly', '0 2 * * *', 'Asia/Kolkata', 'fetch-source', '{"source":"nic","input":"https://example.in/n.csv"}', 'operator')`,
    `UPDATE ingest.run SET status = 'discarded'`,
  ],
  [
    'schedule.late',
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin, created_at)
     VALUES ('nightly', '0 2 * * *', 'Asia/Kolkata', 'collect-words', '{}', 'operator', now() - interval '3 days')`,
    `UPDATE runtime.schedule SET last_slot = now()`,
  ],
  [
    'import.stale',
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at) VALUES ('mca-companies', 'a', 'snapshot', '2025-01-01', 'no_op', now() - interval '46 days')`,
    `UPDATE ingest.run SET finished_at = now()`,
  ],
  [
    'data.old',
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at) VALUES ('mca-companies', 'a', 'snapshot', runtime.indian_day(now()) - 77, 'succeeded', now())`,
    `UPDATE ingest.run SET as_of = runtime.indian_day(now())`,
  ],
  [
    'ledger.broken',
    `INSERT INTO ledger.proof (transfers, violations) VALUES (1, '[{"invariant":"a","subject":"b","detail":"c"}]')`,
    `INSERT INTO ledger.proof (transfers, violations) VALUES (1, '[]')`,
  ],
  [
    'ledger.unverified',
    `INSERT INTO ledger.proof (transfers, violations, proved_at) VALUES (1, '[]', now() - interval '3 days')`,
    `INSERT INTO ledger.proof (transfers, violations) VALUES (1, '[]')`,
  ],
  [
    'audit.broken',
    `INSERT INTO access.audit_proof (rows, head_seq, head_hash, fault) VALUES (1, 0, '', 'changed')`,
    `INSERT INTO access.audit_proof (rows, head_seq, head_hash) VALUES (1, 0, '')`,
  ],
  [
    'audit.unverified',
    `INSERT INTO access.audit_proof (rows, head_seq, head_hash, proved_at) VALUES (1, 0, '', now() - interval '3 days')`,
    `INSERT INTO access.audit_proof (rows, head_seq, head_hash) VALUES (1, 0, '')`,
  ],
  [
    'backup.late',
    `INSERT INTO access.audit (at, actor, action, subject, detail) VALUES (now() - interval '31 hours', 'system', 'finish backup', 'instance', '{"restore_verified": true}')`,
    `INSERT INTO access.audit (at, actor, action, subject, detail) VALUES (now(), 'system', 'finish backup', 'instance', '{}')`,
  ],
  [
    'destination.broken',
    `UPDATE deliver.destination SET status = 'broken'`,
    `UPDATE deliver.destination SET status = 'active'`,
  ],
  [
    'delivery.incomplete',
    `WITH account AS (SELECT account_id FROM deliver.destination LIMIT 1),
     bought AS (
       INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       SELECT account_id, 'Goa', 'credits', 'completed', 'paid', 1, 1 FROM account RETURNING order_id),
     item AS (
       INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
       SELECT order_id, 0, 'gst', '30AAACR5055K1Z7', 'Mandovi', true FROM bought RETURNING item_id, order_id),
     record AS (
       INSERT INTO deliver.record (destination_id, external_id, item_id, version, desired_sha256, state, last_error)
       SELECT d.destination_id, 'gst:30AAACR5055K1Z7', item_id, now(), '', 'acknowledged', '{"code": "FIELD_NOT_WRITABLE"}'
       FROM deliver.destination d, item)
     INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state, outcome, last_error)
     SELECT d.destination_id, item_id, order_id, 'gst:30AAACR5055K1Z7', 'acknowledged', 'created', '{"code": "FIELD_NOT_WRITABLE"}'
     FROM deliver.destination d, item`,
    'UPDATE deliver.record SET last_error = NULL',
  ],
  [
    'crm.exhausted',
    `INSERT INTO deliver.limiter (remote_account, tokens, daily_used, daily_limit) VALUES ('org', 1, 95, 100)`,
    `UPDATE deliver.limiter SET daily_used = 1`,
  ],
  [
    'payment.parked',
    `INSERT INTO orders.payment_event (provider, source, name, outcome) VALUES ('razorpay', 'webhook', 'payment.captured', 'parked')`,
    `UPDATE orders.payment_event SET closed_at = now()`,
  ],
  [
    'key.ending',
    `INSERT INTO access.api_key (account_id, display_prefix, key_sha256, created_at, expires_at, last_used_at)
     SELECT account_id, 'panji_abcd', '\\x00', now() - interval '30 days', now() + interval '3 days', now() FROM access.account LIMIT 1`,
    `UPDATE access.api_key SET expires_at = now() + interval '30 days'`,
  ],
]

describe('in the tables that the flows write', () => {
  test.each(arising)(
    '%s arises, is told once it has held for long enough, and is resolved',
    async (type, arise, end) => {
      await add()
      const accountId = await createAccount(db(), 0)
      await db().execute(
        `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
       VALUES ($1, 'hubspot', 'one', 'org', '')`,
        [accountId],
      )
      const mine = async () => (await told()).flat().filter((each) => each.endsWith(type))
      await watch()
      expect(await mine()).toEqual([])
      await db().execute(arise)
      await watch()
      await later(2)
      await watch()
      expect(await mine()).toEqual([type])
      await db().execute(end)
      await watch()
      expect(await mine()).toEqual([`-${type}`])
      await db().execute(`UPDATE deliver.destination SET status = 'removed'`)
    },
  )

  test('jobs that failed for good, and one that nobody takes up', async () => {
    const queue = await startQueue({
      ...{ connectionString: database.url, role: 'panji_worker', supervise: false, onError: () => {} },
    })
    await add()
    await queue.boss.send('dead-letter', { of: 'a test' })
    await queue.boss.send('build-leads', { orderId: 'a' })
    await db().execute(`UPDATE pgboss.job SET start_after = now() - interval '1 hour' WHERE name = 'build-leads'`)
    await watch()
    await later(1)
    await watch()
    expect((await told()).flat()).toEqual(expect.arrayContaining(['jobs.dead', 'queue.late']))
    await db().execute(`DELETE FROM pgboss.job`)
    await watch()
    expect((await told()).flat()).toEqual(['-jobs.dead', '-queue.late'])
    await queue.stop()
  })
})

test('a list of codes that was imported once, years ago, is neither stale nor old', async () => {
  await add()
  await db().execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at)
     VALUES ('nic', 'a', 'snapshot', '2020-01-01', 'succeeded', now() - interval '400 days')`,
  )
  await watch()
  await later(2)
  await watch()
  expect((await told()).flat().filter((type) => /stale|old/.test(type))).toEqual([])
})

test('a disk that runs full is that of one machine: another neither tells nor resolves it', async () => {
  await add()
  await db().execute(
    `INSERT INTO runtime.condition (cause, type, severity, labels, summary, remedy, for_seconds, again_after_hours, times_told, told_at)
     VALUES ('disk.low instance=two', 'disk.low', 'page', '{"instance": "two"}', 'full', 'free it', 0, '{}', 1, now())`,
  )
  await watch({ instance: 'one' })
  expect(await told()).toEqual([])
  await watch({ instance: 'two' })
  expect(await told()).toEqual([['-disk.low']])
})

test('the channels of the environment are kept equal to it', async () => {
  const shown = async () =>
    (
      await db().query<{ shown: string }>(
        'SELECT shown FROM runtime.alert_channel WHERE removed_at IS NULL ORDER BY shown',
      )
    ).map((row) => row.shown)
  const mail = { kind: 'mail', address: 'asha@example.in' } as const
  const hook = { kind: 'webhook', address: 'https://one.example.in/secret' } as const
  await watch({ channels: [mail, hook] })
  expect(await shown()).toEqual(['a…@example.in', 'one.example.in'])
  const ids = await db().query('SELECT channel_id FROM runtime.alert_channel ORDER BY 1')
  await watch({ channels: [mail, hook] })
  expect(await db().query('SELECT channel_id FROM runtime.alert_channel ORDER BY 1')).toEqual(ids)
  await watch({ channels: [mail] })
  expect(await shown()).toEqual(['a…@example.in'])
  const [row] = await db().query<{ found: string }>(
    `SELECT string_agg(channel::text, ' ') AS found FROM runtime.alert_channel AS channel`,
  )
  expect(row?.found).not.toContain('asha')
})
