/**
 * Expensive reads of a request: a slot in the gate, connections of their own, a deadline by plan, and cancellation of
 * the statement when the caller disconnects. Identity and cheap reads never wait for them, because they share nothing.
 *
 * A read that hit its deadline, or lost its caller, still uses its unit of the daily limit, because it has cost its
 * time.
 */
import type { FastifyRequest } from 'fastify'
import { type ExpensiveReadPlan, expensiveReadPlans, expensiveReadQueue, type PlanName } from '../../config/plans.ts'
import { boundedDb } from '../db/bounded-db.ts'
import type { Db } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { createBuckets } from '../limits/bucket.ts'
import { createGate, type Gate, isRefused, type Leave, type Refused } from '../limits/gate.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { ranTooLong } from '../registry/paging/bounded-read.ts'
import { keepUnit } from './daily-units.ts'
import { type ExpensiveReads, principalOf } from './route-context.ts'

export interface ExpensiveReadOptions {
  /** Has at least as many connections as there are slots, reserved for expensive reads. */
  readonly db: Db
  readonly places: number
  /** Overrides the allowances of `config/plans.ts`, for tests. */
  readonly plans?: Readonly<Record<PlanName, ExpensiveReadPlan>>
}

/** Accounts whose refused queries are remembered. */
const refusedKeysMax = 10_000

/** One slot is reserved for plans that may take the last one, and no account can hold all. */
export const createReadGate = (
  places: number,
  { waiting, waitSeconds }: { readonly waiting: number; readonly waitSeconds: number } = expensiveReadQueue,
): Gate<string> => createGate({ places, reserved: 1, waiting, waitSeconds })

/** @param cheapDb sends the cancel requests. @param nowMs a monotonic clock. */
export function createExpensiveReads(
  cheapDb: Db,
  { db, places, plans = expensiveReadPlans }: ExpensiveReadOptions,
  nowMs?: () => number,
): ExpensiveReads {
  const gate = createReadGate(places)
  const { refusedPerMinute } = expensiveReadQueue
  const refused = createBuckets(
    { atOnce: refusedPerMinute, perSecond: refusedPerMinute / 60, keysMax: refusedKeysMax },
    nowMs,
  )
  const inTurn = turnsByKey()
  const read: (patient: boolean) => ExpensiveReads['run'] = (patient) => async (request, work) => {
    const { accountId, plan } = principalOf(request)
    const allowance = plans[plan]
    if (!patient && refused.left(accountId) < 1) throw tooManyRefused(refused.waitSeconds(accountId))
    // One signal for everything that ends the read: chained signals cost more than the slot in the gate.
    const end = new AbortController()
    const { signal } = end
    const caller = watchCaller(request.socket, end)
    const leave = await enter(gate, { accountId, allowance, signal, patient }).catch((error: unknown) => {
      caller.forget()
      throw error
    })
    const timeoutMs = allowance.seconds * 1000
    const timer = setTimeout(() => end.abort(ranTooLong(timeoutMs)), timeoutMs)
    try {
      return await work(
        boundedDb(db, { timeoutMs, signal, parallel: allowance.parallel, cancelThrough: cheapDb }),
        timeoutMs,
      )
    } catch (error) {
      const reason =
        error instanceof AppError && error.code === 'QUERY_TOO_EXPENSIVE' ? error.extra['reason'] : undefined
      if (caller.isGone() || reason === 'statement_timeout') keepUnit(request)
      if (reason === 'estimate') refused.take(accountId)
      throw error
    } finally {
      clearTimeout(timer)
      caller.forget()
      leave()
    }
  }
  const patiently = read(true)
  return {
    run: read(false),
    // One per account at a time: however many responses it reads concurrently, they have one place in the queue.
    runInTurn: (request, work) => inTurn(principalOf(request).accountId, () => patiently(request, work)),
    usage: () => gate.usage(),
  }
}

interface Entering {
  readonly accountId: string
  readonly allowance: ExpensiveReadPlan
  readonly signal: AbortSignal
  readonly patient: boolean
}

/** @throws AppError TOO_MANY_CONCURRENT */
async function enter(gate: Gate<string>, { accountId, allowance, signal, patient }: Entering): Promise<Leave> {
  const { atOnce, waiting, takesLast } = allowance
  const entered = await gate.enter(accountId, { atOnce, waiting, takesReserve: takesLast }, { signal, patient })
  if (isRefused(entered)) throw noPlace(entered, allowance)
  return entered
}

function noPlace({ full, retryAfterSeconds }: Refused, { waiting, atOnce }: ExpensiveReadPlan): AppError {
  const messages: Readonly<Record<Refused['full'], string>> = {
    share: `${waiting} searches, feeds or exports of this account are already waiting.`,
    gate: 'Too many searches, feeds and exports are waiting.',
    late: `No slot was free within ${expensiveReadQueue.waitSeconds} s; ${atOnce} run at once.`,
  }
  return refusedBy('expensiveReads', messages[full], { retryAfterSeconds })
}

function tooManyRefused(retryAfterSeconds: number): AppError {
  const message = `More than ${expensiveReadQueue.refusedPerMinute} queries in a minute were too expensive to run. Narrow them, or try POST /api/screener/explain.`
  return refusedBy('refusedQueries', message, { retryAfterSeconds })
}

/** Runs the work of one key sequentially, in the order in which it arrived. */
function turnsByKey() {
  const lastOf = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = (lastOf.get(key) ?? Promise.resolve()).then(work)
    // Its result is the caller's business; the next one only waits for the end.
    const ended: Promise<unknown> = own.then(
      () => {},
      () => {},
    )
    lastOf.set(key, ended)
    void ended.then(() => {
      if (lastOf.get(key) === ended) lastOf.delete(key)
    })
    return own
  }
}

/**
 * Ends the read when the caller closes the connection; no one reads the reason. Watches the socket, because a request's
 * own `close`, and so Fastify's `request.signal`, fires as soon as its body is read.
 */
function watchCaller(socket: FastifyRequest['socket'], end: AbortController): { isGone(): boolean; forget(): void } {
  let isGone = false
  const leave = () => {
    isGone = true
    end.abort(new AppError('BAD_REQUEST', 'The caller disconnected before the response.'))
  }
  if (socket.destroyed) leave()
  socket.once('close', leave)
  return { isGone: () => isGone, forget: () => void socket.off('close', leave) }
}
