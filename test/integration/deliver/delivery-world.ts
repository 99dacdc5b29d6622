/** A worker that runs, an account, an order's leads and a CRM in a box; the clock of waits is moved by hand. */
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { connectors } from '../../../connectors/index.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { sandboxes } from '../../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { wakeDue } from '../../../src/deliver/push/wake.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { grantCredits, spendOnOrder } from '../../../src/orders/ledger.ts'
import type { QueueHandle } from '../../../src/queue/queue.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { type TestDatabase, useTestDatabase } from '../../support/database.ts'
import { deliveryJobs, startDeliveryQueue } from './delivery-jobs.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

export interface Counts {
  readonly acknowledged: number
  readonly rejected: number
  readonly open: number
}

export interface DeliveryWorld {
  readonly database: TestDatabase
  readonly secretKey: Secret
  readonly connectors: typeof connectors
  queue(): QueueHandle
  accountId(): string
  box(crm: string): Sandbox
  settings(crm: string): Record<string, unknown>
  parts(): { db: TestDatabase['db']; connectors: typeof connectors; secretKey: Secret }
  addDestination(crm: string, over?: object, name?: string): Promise<string>
  order(leads: readonly OutgoingLead[]): Promise<string>
  /** Charges the order as it would be if it were placed now: held or spent. */
  charge(orderId: string): Promise<void>
  push(orderId: string, destinationId: string): Promise<string>
  counts(orderId: string): Promise<Counts>
  /** Every wait that is on ends now. */
  endWaits(): Promise<void>
  /** Until the expectation holds, with all waits ended again and again. */
  until(expectation: () => void | Promise<void>, timeout?: number): Promise<void>
  startWorker(): Promise<void>
  stopWorker(): Promise<void>
}

/** Call at the top of a file. */
export function useDeliveryWorld(secretKey = new Secret('a key of sixteen characters or more')): DeliveryWorld {
  const database = useTestDatabase()
  let queue: QueueHandle | undefined
  let worker: { stop(): Promise<void> } | undefined
  let stopping = new AbortController()
  let boxes: readonly Sandbox[] = []
  let server: RunningSandboxes | undefined
  let accountId = ''
  const have = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('this exists only inside tests and hooks')
    return value
  }

  const world: DeliveryWorld = {
    database,
    secretKey,
    connectors,
    queue: () => have(queue),
    accountId: () => accountId,
    box: (crm) => have(boxes.find((each) => each.crm === crm)),
    settings: (crm) => ({ ...have(server).settings(crm) }),
    parts: () => ({ db: database.db, connectors, secretKey }),
    async addDestination(crm, over = {}, name = 'CRM') {
      const given = { accountId, connector: crm, name, settings: { ...world.settings(crm), ...over } }
      return (await addDestination(database.db, connectors, secretKey, given)).destination_id
    },
    order: (leads) => insertOrder(database.db, accountId, leads),
    async charge(orderId) {
      await database.db.transaction(async (tx) => {
        const [row] = await tx.query<{ items: number }>(
          'SELECT count(*)::int AS items FROM orders.item WHERE order_id = $1',
          [orderId],
        )
        const credits = row?.items ?? 0
        await grantCredits(tx, accountId, credits, `grant:${orderId}`)
        const [charge] = await spendOnOrder(tx, accountId, { orderId, credits })
        await tx.execute('UPDATE orders.item SET charge_id = $2 WHERE order_id = $1', [orderId, charge?.chargeId])
      })
    },
    push: async (orderId, destinationId) =>
      (await database.db.transaction((tx) => requestPush(tx, have(queue), { orderId, destinationId }))).pushId,
    async counts(orderId) {
      const [row] = await database.db.query<Counts>(
        `SELECT count(*) FILTER (WHERE state = 'acknowledged') AS acknowledged,
           count(*) FILTER (WHERE state = 'rejected') AS rejected,
           count(*) FILTER (WHERE state NOT IN ('acknowledged', 'rejected')) AS open
         FROM deliver.delivery WHERE order_id = $1`,
        [orderId],
      )
      return have(row)
    },
    async endWaits() {
      await database.db.execute(`UPDATE pgboss.job SET start_after = now() WHERE state IN ('created', 'retry')`)
      await database.db.execute('UPDATE deliver.destination SET retry_at = now() WHERE retry_at IS NOT NULL')
      await database.db.execute('UPDATE deliver.limiter SET blocked_until = now() WHERE blocked_until IS NOT NULL')
      await database.db.execute('UPDATE deliver.record SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL')
    },
    async until(expectation, timeout = 40_000) {
      await vi.waitFor(
        async () => {
          await world.endWaits()
          // As the look that each worker takes every two seconds would, without the wait for it.
          await wakeDue(database.db, have(queue))
          await expectation()
        },
        { timeout, interval: 100 },
      )
    },
    async startWorker() {
      stopping = new AbortController()
      worker = await startWorker({
        db: database.as('panji_worker'),
        queue: have(queue),
        jobs: deliveryJobs(have(queue), secretKey),
        log: pino({ level: 'silent' }),
        signal: stopping.signal,
      })
    },
    async stopWorker() {
      stopping.abort(new Error('the process is stopping'))
      await worker?.stop()
      worker = undefined
    },
  }

  beforeAll(async () => {
    queue = await startDeliveryQueue(database)
  })
  afterAll(async () => {
    await queue?.stop()
  })
  beforeEach(async () => {
    // Every sandbox is the same account to the limiter.
    await database.db.execute('DELETE FROM deliver.limiter')
    boxes = sandboxes()
    server = await startSandboxes(boxes, { port: 0 })
    accountId = await insertAccount(database.db)
    await world.startWorker()
  })
  afterEach(async () => {
    // What a test left open is nothing for the next one, whose sandboxes are accounts of their own.
    await database.db.execute(`UPDATE deliver.destination SET status = 'removed', verified_account = NULL`)
    await world.stopWorker()
    await server?.close()
  })
  return world
}
