/**
 * A bounded number of places for expensive reads, shared fairly by accounts: each account waits in a line of its own, free
 * places go to the lines in turn, and no account holds the last one, nor do all accounts of a plan that leaves it to others,
 * however many there are. A read that finds no place in time is refused.
 *
 * It counts the reads of one process; several processes are bounded together by their places' sum.
 */
import { type ExpensiveReadPlan, expensiveReadQueue } from '../../config/plans.ts'
import { AppError } from '../errors.ts'

export interface ReadGate {
  /**
   * @param patient waits for its turn however long that takes, and is never refused; the caller bounds how many do.
   * @returns a function that gives the place back; once.
   * @throws AppError TOO_MANY_CONCURRENT; the signal's reason when it aborts before there was a place.
   */
  enter(accountId: string, plan: ExpensiveReadPlan, signal: AbortSignal, patient?: boolean): Promise<() => void>
  /** `refused` counts since the start. */
  usage(): GateUsage
}

export interface GateUsage {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

interface Line {
  running: number
  atOnce: number
  takesLast: boolean
  readonly waiting: Set<(leave: () => void) => void>
}

export function createReadGate(
  places: number,
  queue: { readonly waitSeconds: number; readonly waiting: number } = expensiveReadQueue,
): ReadGate {
  /** In the order of their turns: a line that was served goes to the end. */
  const lines = new Map<string, Line>()
  let running = 0
  /** Of these, the reads of plans that leave the last place. */
  let modest = 0
  const modestMax = Math.max(1, places - 1)
  let waiting = 0
  let refused = 0
  /** Moving average of how long a place is held, for Retry-After. */
  let heldMs = 500

  function take(accountId: string, line: Line): () => void {
    const since = performance.now()
    const { takesLast } = line
    running += 1
    if (!takesLast) modest += 1
    line.running += 1
    let left = false
    return () => {
      if (left) return
      left = true
      running -= 1
      if (!takesLast) modest -= 1
      line.running -= 1
      heldMs += (performance.now() - since - heldMs) / 8
      if (line.running === 0 && line.waiting.size === 0) lines.delete(accountId)
      serve()
    }
  }

  const mayRun = ({ takesLast }: Line): boolean => takesLast || modest < modestMax

  function serve(): void {
    while (running < places && waiting > 0) {
      const next = [...lines].find(([, line]) => line.waiting.size > 0 && line.running < line.atOnce && mayRun(line))
      if (!next) return
      const [accountId, line] = next
      const [first] = line.waiting
      if (!first) return
      lines.delete(accountId)
      lines.set(accountId, line)
      first(take(accountId, line))
    }
  }

  function refusal(message: string): AppError {
    refused += 1
    const seconds = Math.ceil((heldMs * (waiting + 1)) / places / 1000)
    return new AppError('TOO_MANY_CONCURRENT', message, { retryAfterSeconds: Math.min(30, Math.max(1, seconds)) })
  }

  return {
    async enter(accountId, plan, signal, patient = false) {
      signal.throwIfAborted()
      const line = lines.get(accountId) ?? { running: 0, atOnce: 1, takesLast: false, waiting: new Set() }
      line.takesLast = plan.takesLast
      line.atOnce = Math.min(plan.atOnce, Math.max(1, places - 1))
      if (!patient && line.waiting.size >= plan.waiting) {
        throw refusal(`${plan.waiting} searches, feeds or exports of this account wait for their turn already.`)
      }
      const waitingMax = plan.takesLast ? queue.waiting : Math.floor(queue.waiting * 0.75)
      if (!patient && waiting >= waitingMax) throw refusal('Too many searches, feeds and exports wait for their turn.')
      lines.set(accountId, line)
      return new Promise((resolve, reject) => {
        const settle = (leave: () => void) => {
          withdraw()
          resolve(leave)
        }
        const giveUp = (error: unknown) => {
          withdraw()
          if (line.running === 0 && line.waiting.size === 0) lines.delete(accountId)
          reject(error)
        }
        const aborted = () => giveUp(signal.reason)
        const late = () =>
          giveUp(refusal(`No place was free within ${queue.waitSeconds} s; ${plan.atOnce} at once are served.`))
        const timer = patient ? undefined : setTimeout(late, queue.waitSeconds * 1000)
        const withdraw = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
          if (line.waiting.delete(settle)) waiting -= 1
        }
        signal.addEventListener('abort', aborted, { once: true })
        line.waiting.add(settle)
        waiting += 1
        serve()
      })
    },
    usage: () => ({ running, waiting, refused }),
  }
}
