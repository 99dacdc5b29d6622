/** What the instance itself loses: schedules, failed jobs, operators' access, sealed settings. */
import { listOperators } from '../../access/manage-operators.ts'
import { counted } from '../../domain/counted.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { lastRunOf, readSchedule } from '../../queue/schedule/schedules.ts'
import type { Figures } from './figures.ts'

export const ofSchedule: Figures = async ({ db, args: [name = ''] }) => {
  const schedule = await readSchedule(db, name)
  const [{ cron, timezone, job }, last] = [schedule, lastRunOf(schedule)]
  return `Schedule ${name}: ${job} at ${cron} (${timezone}), last run ${last ? shownInstant(last) : 'never'}. It is removed.`
}

export const ofOperator: Figures = async ({ db, args: [name = ''] }) => {
  const found = (await listOperators(db)).find((each) => each.name === name && each.revokedAt === null)
  if (!found) return undefined
  const used = found.lastUsedAt === null ? 'never used' : `last used ${shownInstant(found.lastUsedAt)}`
  return `Operator ${name} (${found.role}, token ${used}): the token stops working with the next call.`
}

export const ofSecondFactor: Figures = async ({ args: [name = ''], options }) =>
  options.remove === true ? `Operator ${name}: the token alone signs in to the console from now on.` : undefined

export const ofLostKey: Figures = async ({ db, options }) => {
  if (options.lost !== true) return undefined
  const [found] = await db.query<{ destinations: number }>(
    `SELECT count(*) AS destinations FROM deliver.destination WHERE status <> 'removed'`,
  )
  return `Everything sealed under the lost key is deleted, with the settings of ${counted(found?.destinations ?? 0, 'destination')}.`
}
