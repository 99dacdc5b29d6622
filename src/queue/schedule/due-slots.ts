/** Which slots a cron expression has: the next ones for people, the latest missed one for catching up. */
import type { PgBoss } from 'pg-boss'

/** @returns the first `count` slots strictly after `from`. */
export function slotsAfter(boss: PgBoss, cron: string, timezone: string, from: Date, count: number): Date[] {
  return boss.previewSchedule(cron, { tz: timezone, from, count })
}

/** The newest slot in (from, now]: after downtime it is enqueued once, however many were missed. */
export function latestDueSlot(boss: PgBoss, cron: string, timezone: string, from: Date, now: Date): Date | undefined {
  let latest: Date | undefined
  for (;;) {
    const page = slotsAfter(boss, cron, timezone, latest ?? from, 1000)
    const due = page.filter((slot) => slot <= now)
    latest = due.at(-1) ?? latest
    if (due.length < page.length || page.length === 0) return latest
  }
}
