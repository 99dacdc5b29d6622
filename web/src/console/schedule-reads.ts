/** Schedules, cached once for several pages, and whether a source is behind its schedule. */
import type { components } from '../../../client/api-types.ts'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'

export type Schedule = components['schemas']['Schedule']

const everyMs = 30_000
/** A fetch and a run may take this long before a source counts as late. */
const graceMs = 3_600_000

export function useSchedules() {
  return useRead(['schedules'], () => api.GET('/admin/schedules'), { refetchInterval: everyMs })
}

/** The schedule that imports the source next; undefined where it is only imported manually. */
export function nextOf(source: string, schedules: readonly Schedule[]): Schedule | undefined {
  return schedules
    .filter((schedule) => schedule.source === source && schedule.next_run !== null)
    .toSorted((a, b) => Date.parse(a.next_run ?? '') - Date.parse(b.next_run ?? ''))[0]
}

/** A slot passed a while ago, and nothing was imported since. */
export function isLate(
  takenInAt: string | null,
  source: string,
  schedules: readonly Schedule[],
  now = Date.now(),
): boolean {
  const slots = schedules
    .filter((schedule) => schedule.source === source && !schedule.paused && schedule.last_run !== null)
    .map(({ last_run }) => Date.parse(last_run ?? ''))
  const taken = takenInAt === null ? Number.NEGATIVE_INFINITY : Date.parse(takenInAt)
  return slots.some((slot) => taken < slot && now - slot > graceMs)
}
