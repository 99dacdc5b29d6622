/**
 * Expensive reads of a request: a place in the gate, connections of their own, a deadline by plan, and an end of the
 * statement when the caller goes away. Identity and cheap reads never wait for them, because they share nothing.
 *
 * A read that was stopped at its deadline, or left by its caller, keeps the unit of the daily limit: it has cost its time.
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
import { type ExpensiveReads, principalOf } from './route-context.ts'
import { keepUnit } from './taken-units.ts'

export interface ExpensiveReadOptions {
  /** At least as many connections as places, kept for expensive reads. */
  readonly db: Db
  readonly places: number
  /** Other allowances than those of `config/plans.ts`, for tests. */
  readonly plans?: Readonly<Record<PlanName, ExpensiveReadPlan>>
}

/** Accounts whose refused queries are remembered. */
const refusedKeysMax = 10_000

/** One place is reserved for plans that take the last one, and no account holds all. */
export const createReadGate = (
  places: number,
  { waiting, waitSeconds }: { readonly waiting: number; readonly waitSeconds: number } = expensiveReadQueue,
): Gate<string> => createGate({ places, reserved: 1, waiting, waitSeconds })

/** @param cheapDb carries the cancel requests. @param nowMs a clock that only goes forward. */
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
    // One signal for whatever ends the read: signals that follow others cost more than the place in the gate.
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
    // One of an account at a time: however many answers it reads at once, they are one in the line.
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
    share: `${waiting} searches, feeds or exports of this account wait for their turn already.`,
    gate: 'Too many searches, feeds and exports wait for their turn.',
    late: `No place was free within ${expensiveReadQueue.waitSeconds} s; ${atOnce} at once are served.`,
  }
  return refusedBy('expensiveReads', messages[full], { retryAfterSeconds })
}

function tooManyRefused(retryAfterSeconds: number): AppError {
  const message = `More than ${expensiveReadQueue.refusedPerMinute} queries in a minute were too expensive to run. Narrow them, or ask POST /api/screener/explain.`
  return refusedBy('refusedQueries', message, { retryAfterSeconds })
}

/** Work of one key follows each other, in the order in which it came. */
function turnsByKey() {
  const lastOf = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = (lastOf.get(key) ?? Promise.resolve()).then(work)
    // How it ended is its caller's to know; the next one only waits for the end.
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
 * Ends the read when the caller closes the connection; nobody reads the reason. The socket tells: a request's own
 * `close`, and so Fastify's `request.signal`, comes as soon as its body is read.
 */
function watchCaller(socket: FastifyRequest['socket'], end: AbortController): { isGone(): boolean; forget(): void } {
  let isGone = false
  const leave = () => {
    isGone = true
    end.abort(new AppError('BAD_REQUEST', 'The caller went away before the answer.'))
  }
  if (socket.destroyed) leave()
  socket.once('close', leave)
  return { isGone: () => isGone, forget: () => void socket.off('close', leave) }
}
