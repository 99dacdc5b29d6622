/**
 * The one reader of cron expressions: whether one can be meant, which slots come next, and which was missed last.
 * Everything here is a function of its arguments; whose clock counts is the caller's to say.
 */
import { Cron } from 'croner'

/** A paused pattern only computes; it never fires. */
const read = (expression: string, timezone: string) =>
  new Cron(expression, { timezone, paused: true, mode: '5-or-6-parts' })

/** @returns what is wrong with an expression, or undefined. */
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

/** The newest slot in (from, now]: after downtime it is enqueued once, however many were missed. */
export function latestDueSlot(cron: string, timezone: string, from: Date, now: Date): Date | undefined {
  // Slots are whole seconds, and the newest before the second after now is the newest that is due.
  const [latest] = read(cron, timezone).previousRuns(1, new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000))
  return latest && latest > from ? latest : undefined
}
