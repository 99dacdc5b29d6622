/**
 * The only reader of cron expressions: whether one is valid, which slots come next, and which was missed last. All
 * functions are pure; callers decide whose clock counts.
 */
import { Cron } from 'croner'

/** A paused pattern computes slots but never fires. */
const read = (expression: string, timezone: string) =>
  new Cron(expression, { timezone, paused: true, mode: '5-or-6-parts' })

/** @returns the error in an expression, if any. */
export function cronFault(expression: string, timezone: string): string | undefined {
  try {
    return read(expression, timezone).nextRun() === null ? 'has no slot: no day that it names exists' : undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : String(error)
  }
}

/** @returns the first `count` slots strictly after `from`. */
export function slotsAfter(cron: string, timezone: string, from: Date, count: number): Date[] {
  return read(cron, timezone).nextRuns(count, from)
}

/** The newest slot in (from, now]. After downtime only this one is enqueued, however many were missed. */
export function latestDueSlot(cron: string, timezone: string, from: Date, now: Date): Date | undefined {
  // Slots are whole seconds: the newest slot before the next full second is the newest that is due.
  const [latest] = read(cron, timezone).previousRuns(1, new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000))
  return latest && latest > from ? latest : undefined
}
