/** Which slots a cron expression has: the next ones for people, the latest missed one for catching up. */
import type { PgBoss } from 'pg-boss'

/** @returns the first `count` slots strictly after `from`. */
export function slotsAfter(boss: PgBoss, cron: string, timezone: string, from: Date, count: number): Date[] {
  return boss.previewSchedule(cron, { tz: timezone, from, count })
}

/** The newest slot in (from, now]: after downtime it is enqueued once, however many were missed. */
export function latestDueSlot(boss: PgBoss, cron: string, timezone: string, from: Date, now: Date): Date | undefined {
  let latest: Date | undefined
  // Pages grow: a yearly schedule is settled by its first slot, and never asked for a thousand years.
  for (let count = 1; ; count = Math.min(count * 4, 256)) {
    const page = slotsAfter(boss, cron, timezone, latest ?? from, count)
    const due = page.filter((slot) => slot <= now)
    latest = due.at(-1) ?? latest
    if (due.length < count) return latest
  }
}
