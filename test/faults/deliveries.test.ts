/**
 * F3 and F11 to F16: leads on their way into CRMs that limit, fail, cut, hang, forget, answer late and hear a call twice, while
 * workers die, destinations are paused and their credentials renewed, and newer orders come. In the end every valid lead is
 * there once with its newest values, every invalid one is a readable reject, and the ledger agrees with the CRM row by row.
 * At every moment the credits that are spent are the rows that the CRM acknowledged. A seed replays its run.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import type { SandboxFault, SandboxRecord } from '../../sandboxes/contract.ts'
import { pauseDestination, resumeDestination, updateDestination } from '../../src/deliver/destinations/destinations.ts'
import { itemsAtOnce } from '../../src/deliver/push/enqueue.ts'
import { Secret } from '../../src/domain/secret.ts'
import { gstLead } from '../conformance/sample-leads.ts'
import { useDeliveryWorld } from '../integration/deliver/delivery-world.ts'
import { figure } from '../support/figures.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { firstSeed, randomOf } from './support/seeds.ts'

const secretKey = 'secret-key-of-the-delivery-faults'
const world = useDeliveryWorld(new Secret(secretKey))
/** Unasked, one small run into the first CRM by jobs, in the long run another without, and one into each other: the engine is the same for all. */
const asked = process.env['PANJI_DELIVERY_SEEDS']
const seedsOf = (way: string) =>
  Array.from({ length: Number(asked ?? (way === 'salesforce' ? figure(1, 2) : 1)) }, (_, n) => firstSeed + n)
/** In the long form also as accounts and their persons. */
const ways = ['salesforce', 'hubspot', 'zoho', ...(asked === undefined ? [] : ['salesforce accounts'])]
const leadCount = Number(process.env['PANJI_DELIVERY_LEADS'] ?? (asked === undefined ? 250 : 2_000))
const actCount = asked === undefined ? 15 : 25
/** Milliseconds; the long form leaves time to a machine that has other work. */
const patience = asked === undefined ? 90_000 : 600_000
/** Leads from which on a seed that is odd lets them go to Salesforce as jobs. */
const bulkFrom = Math.ceil(leadCount / 4)
const faults: readonly Omit<SandboxFault, 'times'>[] = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 502 },
  { kind: 'rate_limit' },
  { kind: 'reset' },
  { kind: 'reset_after_commit' },
  { kind: 'timeout' },
  { kind: 'timeout_after_commit' },
  { kind: 'omit_rows' },
  { kind: 'expire_token' },
  { kind: 'delay' },
  { kind: 'duplicate' },
]
const isBad = (n: number) => n % 97 === 5
const valid = Array.from({ length: leadCount }, (_, n) => n).filter((n) => !isBad(n)).length
const leadsOf = (city: string): OutgoingLead[] =>
  Array.from({ length: leadCount }, (_, n) => gstLead(n, { City: city, ...(isBad(n) ? { Email: 'no-address' } : {}) }))

/** A GST registration is an account; the person who is known there hangs on it. */
const isPerson = ({ object }: SandboxRecord): boolean => object === 'Contact'

/** Orders whose credits are other than their rows: spent what the CRM acknowledged, held the rest. One statement, one moment. */
const unsettled = (orders: readonly string[]) =>
  world.database.db.query(
    `SELECT books.* FROM unnest($1::uuid[]) AS asked (order_id) CROSS JOIN LATERAL (
       SELECT asked.order_id,
         (SELECT coalesce(sum(amount), 0)::int FROM ledger.transfer WHERE order_id = asked.order_id AND kind = 'hold') AS held,
         (SELECT coalesce(sum(amount), 0)::int FROM ledger.transfer WHERE order_id = asked.order_id AND kind = 'settle') AS spent,
         (SELECT count(DISTINCT item_id)::int FROM deliver.delivery
          WHERE order_id = asked.order_id AND state = 'acknowledged') AS acknowledged
     ) AS books WHERE spent <> acknowledged OR held <> $2`,
    [orders, leadCount],
  )

test.each(ways.flatMap((way) => seedsOf(way).map((seed) => [way, seed] as const)))(
  'whatever happens on the way into %s (seed %i), each valid lead arrives once with its newest values',
  async (way, seed) => {
    const [crm = '', asAccounts] = way.split(' ')
    const random = randomOf(seed)
    const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const byJobs = way === 'salesforce' && seed % 2 === 1
    const quick = {
      timeout_ms: 300,
      ...(byJobs ? { bulk_from: bulkFrom } : {}),
      ...(asAccounts === undefined ? {} : { object: 'account' }),
    }
    const destination = await world.addDestination(crm, quick)
    const parts = world.parts()
    const placed = async (city: string) => {
      const orderId = await world.order(leadsOf(city))
      await world.charge(orderId)
      return orderId
    }
    const orders = [await placed('Panaji')]
    await world.push(orders[0] ?? '', destination)
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      fault: async () => world.box(crm).addFault({ ...among(faults), times: 1 + Math.floor(random() * 3) }),
      pause: () => pauseDestination(parts, destination),
      resume: () => resumeDestination(parts, destination),
      renew: () => updateDestination(parts, destination, { settings: { ...world.settings(crm), ...quick } }),
      death: async () => {
        await world.stopWorker()
        // A worker that was killed gives nothing back.
        await world.database.db.execute(
          `UPDATE deliver.record SET state = 'sending', fence = gen_random_uuid() WHERE state = 'unknown'`,
        )
        await world.startWorker()
      },
      newer: async () => {
        if (orders.length < 3) orders.push(await placed(among(['Margao', 'Mapusa'])))
        await world.push(orders.at(-1) ?? '', destination)
      },
      older: () => world.push(among(orders), destination),
      waits: () => world.endWaits(),
    }
    const weighted = [
      'fault',
      'fault',
      'fault',
      'pause',
      'resume',
      'resume',
      'renew',
      'death',
      'newer',
      'older',
      'waits',
    ]
    const done: string[] = []
    for (let n = 0; n < actCount; n += 1) {
      const act = among(weighted)
      done.push(act)
      await acts[act]?.()
      expect([done, await unsettled(orders)]).toEqual([done, []])
      // The pace of the experiment; nothing is waited for.
      await delay(20 + random() * 100)
    }
    await resumeDestination(parts, destination)
    const newest = orders.at(-1) ?? ''
    await world.push(newest, destination)
    const bad = leadCount - valid
    await world.until(async () => {
      for (const orderId of orders) {
        const counts = await world.counts(orderId)
        if (counts.acknowledged + counts.rejected > 0 || orderId === newest) {
          expect([done, counts]).toEqual([done, { acknowledged: leadCount - bad, rejected: bad, open: 0 }])
        }
      }
    }, patience)

    const leadRecords = () =>
      world
        .box(crm)
        .records()
        .filter((record) => !isPerson(record))
    const idOf = (properties: Readonly<Record<string, unknown>>) =>
      String(properties['Panji_Id__c'] ?? properties['panji_id'] ?? properties['Panji_Id'] ?? '')
    const [row] = await world.database.db.query<{ city: string }>(
      `SELECT flat ->> 'City' AS city FROM orders.lead WHERE order_id = $1 LIMIT 1`,
      [newest],
    )
    // An older write that the CRM works off late is met by the look that follows it.
    await world.until(() => {
      const stale = leadRecords().filter(
        ({ properties }) => idOf(properties) !== '' && !JSON.stringify(properties).includes(String(row?.city)),
      )
      expect(stale).toEqual([])
    }, patience)

    expect(await unsettled(orders)).toEqual([])
    expect(await world.database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
    const persons = world.box(crm).records().filter(isPerson)
    const records = leadRecords()
    const ids = records.map(({ properties }) => idOf(properties)).filter((id) => id !== '')
    expect(new Set(ids).size, 'no record twice').toBe(ids.length)
    expect(ids).toHaveLength(leadCount - bad)
    const ledger = await world.database.db.query<{ externalId: string; crmId: string }>(
      `SELECT external_id AS "externalId", crm_id AS "crmId" FROM deliver.record
       WHERE destination_id = $1 AND state = 'acknowledged'`,
      [destination],
    )
    const held = new Map(records.map(({ id, properties }) => [idOf(properties), id]))
    expect(ledger.filter(({ externalId, crmId }) => held.get(externalId) !== crmId)).toEqual([])
    if (asAccounts !== undefined) {
      const accounts = persons.map(({ properties }) => properties['AccountId'])
      expect(new Set(accounts), 'one person in each account').toEqual(new Set(held.values()))
      expect(accounts).toHaveLength(leadCount - bad)
    }
    const reasons = await world.database.db.query<{ code: string }>(
      `SELECT DISTINCT last_error ->> 'code' AS code FROM deliver.record WHERE destination_id = $1 AND state = 'rejected'`,
      [destination],
    )
    expect(reasons).toEqual([{ code: expect.stringMatching(/INVALID_(EMAIL|DATA)/) }])
  },
  2 * patience,
)

test('a worker that is killed in the midst of a call, with part of its order enqueued, is healed by the next one within half a minute, each lead once', async () => {
  const destination = await world.addDestination('salesforce', { bulk_from: 'off' })
  const many = itemsAtOnce + 200
  // Set-up holds the account, as enqueuing does, so it comes before.
  const before = await world.order([gstLead(many)])
  await world.push(before, destination)
  await world.until(async () => expect(await world.counts(before)).toMatchObject({ acknowledged: 1 }))
  await world.stopWorker()
  const orderId = await world.order(Array.from({ length: many }, (_, n) => gstLead(n)))
  // The CRM takes the leads and never says so.
  world.box('salesforce').addFault({ kind: 'timeout_after_commit', match: 'composite/sobjects/Lead', times: 1 })
  const home = panjiHome({
    DATABASE_URL: world.database.url,
    PANJI_SECRET_KEY: secretKey,
    LOG_LEVEL: 'silent',
    PORT: '0',
  })
  try {
    const pushId = await world.push(orderId, destination)
    // Nobody enqueues the rest while this is held; when it is let go, the one that would have is dead.
    await world.database.db.transaction(async (tx) => {
      await tx.query('SELECT FROM deliver.push WHERE push_id = $1 FOR UPDATE', [pushId])
      const first = home.run('start', '--role', 'worker')
      await vi.waitFor(() => expect(world.box('salesforce').records()).toHaveLength(1 + 200), {
        timeout: 60_000,
        interval: 20,
      })
      first.child.kill('SIGKILL')
      await first.ended
    })
    const killed = performance.now()
    expect(await world.counts(orderId)).toEqual({ acknowledged: 0, rejected: 0, open: itemsAtOnce })
    await world.startWorker()
    await vi.waitFor(
      async () => expect(await world.counts(orderId)).toEqual({ acknowledged: many, rejected: 0, open: 0 }),
      { timeout: 60_000, interval: 50 },
    )
    expect(performance.now() - killed).toBeLessThan(30_000)
    expect(world.box('salesforce').records()).toHaveLength(1 + many)
  } finally {
    home.remove()
  }
})
