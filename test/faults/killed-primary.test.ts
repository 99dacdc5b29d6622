/**
 * The cluster of ops/ha under an import, orders and deliveries: its primary is killed again and again, Patroni promotes a standby
 * that has all, and makes a standby of the old one. Runs where Debian's packages are installed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figure } from '../support/figures.ts'
import { type Buyer, hireBuyer } from './support/buyer.ts'
import { type Death, hasClusterTools, usePatroniCluster } from './support/patroni-cluster.ts'
import { useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'

/** Each kill comes later into the import than the one before it; every other one takes the whole machine. */
const kills = Array.from({ length: figure(0, 20) }, (_, place) => ({
  kill: place + 1,
  death: (place % 2 === 0 ? 'machine' : 'postgres') satisfies Death as Death,
  afterMs: place * 90,
}))
/** In the end a primary is succeeded while it lives: whoever was connected to it is cut off. */
if (kills.length > 0) kills.push({ kill: kills.length + 1, death: 'patroni', afterMs: 200 })
if (kills.length === 0) console.warn('skipped: twenty kills take ten minutes, which `npm run test:long` has')
const asked = kills.length > 0 && hasClusterTools()

describe.skipIf(!asked)('a cluster with synchronous replication', () => {
  const cluster = usePatroniCluster()
  const panji = useRunningPanji(cluster)
  const runs = useQueuedRuns(
    {
      get db() {
        return cluster.db
      },
      get url() {
        return cluster.eyesUrl
      },
    },
    4_000,
  )
  let buyer: Buyer
  beforeAll(async () => {
    buyer = await hireBuyer(cluster.db, panji.apiUrl, 'secret-key-of-the-faults-0123456789', 9_000)
  })
  const gaps: number[] = []
  afterAll(async () => {
    await buyer?.close()
    const [median, longest] = [gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)], Math.max(...gaps)]
    console.log(`${gaps.length} kills: writes were taken again after ${median} ms in the median, ${longest} ms at most`)
  })

  test.each(kills)(
    'kill $kill ($death) loses nothing that was acknowledged, and the old primary follows the new one',
    async ({ kill, death, afterMs }) => {
      const reader = await panji.startAsking()
      const run = await runs.enqueue()
      const shopping = buyer.start()
      await delay(afterMs)
      const killed = await cluster.kill(death)
      const killedAt = Date.now()
      await vi.waitFor(
        async () => {
          const { status, retryAfter } = await panji.readiness()
          expect([status, Number(retryAfter) > 0]).toEqual([503, true])
        },
        { timeout: 60_000, interval: 20 },
      )
      // What its last processes still took, after the one that was killed, ends no gap.
      const noticedAt = Date.now()
      const taken = await vi.waitFor(
        () => {
          const found = buyer.writes.find(({ askedAt, status }) => askedAt >= noticedAt && status === 201)
          if (!found) throw new Error(`no order was taken: ${JSON.stringify(buyer.writes.slice(-3))}`)
          return found
        },
        { timeout: 60_000, interval: 20 },
      )
      gaps.push(taken.answeredAt - killedAt)
      const timeline = await cluster.back(killed)
      await shopping.stop()
      await buyer.repeat()
      await runs.expectSameEnd(run, 90_000)
      await vi.waitFor(async () => expect(await panji.readiness()).toMatchObject({ status: 200 }), { timeout: 60_000 })
      await expectKept()
      expectOnlyShedding(await reader.stop())
      expectOnlyShedding(buyer.writes.map((each) => ({ ...each, status: each.status === 201 ? 200 : each.status })))
      expect(panji.process.child.exitCode).toBeNull()
      expect(await panji.command('ledger', 'check')).toMatchObject({ code: 0 })
      expect(await panji.command('audit', 'verify')).toMatchObject({ code: 0, answer: { ok: true } })
      console.log(`kill ${kill} (${death}) of ${killed}: writes after ${gaps.at(-1)} ms, timeline ${timeline}`)
    },
  )

  /** Orders, credits, leads and records of the CRM are each other's, and what callers wrote down is among them. */
  async function expectKept(): Promise<void> {
    const orders = await cluster.db.query<{ name: string; id: string }>(
      `SELECT order_name AS name, order_id::text AS id FROM orders.purchase WHERE payment_status = 'paid' ORDER BY created_at`,
    )
    expect(new Map(orders.map(({ name, id }) => [name, id]))).toEqual(buyer.acknowledged)
    expect(orders.map(({ name }) => name).sort()).toEqual([...buyer.keys()].sort())
    await vi.waitFor(
      async () => {
        const [open] = await cluster.db.query<{ count: number }>(
          `SELECT count(*) FROM orders.item i LEFT JOIN deliver.delivery d USING (item_id) WHERE d.state IS DISTINCT FROM 'acknowledged'`,
        )
        expect(open?.count).toBe(0)
      },
      { timeout: 120_000, interval: 200 },
    )
    const records = await cluster.db.query<{ id: string; crmId: string }>(
      `SELECT delivery_id::text AS id, crm_id AS "crmId" FROM deliver.delivery`,
    )
    expect(Object.fromEntries(records.map(({ id, crmId }) => [id, crmId]))).toMatchObject(
      Object.fromEntries(buyer.delivered),
    )
    expect(
      buyer.box
        .records()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(records.map(({ crmId }) => crmId).sort())
    expect(await cluster.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  }
})
