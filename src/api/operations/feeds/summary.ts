/**
 * How many records a feed has by day and state, within the caller's scope: counts of what its pages would return, over
 * a bounded number of days. It returns no records, so nothing counts against the record budget.
 */

import { z } from 'zod'
import { summaryDays } from '../../../../config/plans.ts'
import { effectiveScope, scopeOf } from '../../../access/entitlements.ts'
import { locatePlaces } from '../../../access/place-locations.ts'
import { readToday } from '../../../db/read-today.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { daysAfter } from '../../../domain/iso-date.ts'
import { AppError } from '../../../errors.ts'
import { type DayCount, readSummary } from '../../../registry/feed/read-summary.ts'
import { day as dayOf } from '../../formats.ts'
import { type Operation, operation } from '../../operation.ts'
import { calendarDay, textFilter } from '../../parameters.ts'
import { AppliedScope, appliedScope, checkDays, feedErrors, grantsWithin, openScope, placesOf } from './feed-scope.ts'
import example from './summary.example.json' with { type: 'json' }

const Asked = z.object({
  from_date: calendarDay
    .optional()
    .describe(`First day; ${summaryDays.usual - 1} days before to_date by default. Clamped to the entitled window.`),
  to_date: calendarDay
    .optional()
    .describe(
      `Last day; by default ${summaryDays.max - 1} days after from_date, or today in India without it. Clamped to the entitled window, and to today.`,
    ),
  state: textFilter('Any common spelling; an unknown name is a 422 with a suggestion').meta({ examples: ['Goa'] }),
})
const state = z.string().nullable().describe('null where the register has none')
const StateCount = z.object({ state, total: z.number() }).meta({ id: 'FeedStateCount' })
const DayStateCount = z.object({ day: dayOf('Of registration'), state, total: z.number() }).meta({ id: 'FeedDayCount' })
const FeedSummary = z
  .object({
    total: z.number().describe('Records of these days within the entitled scope'),
    by_state: z.array(StateCount).describe('Largest first'),
    by_day: z.array(DayStateCount).describe('Days and states that have records, newest day first'),
    access: AppliedScope,
  })
  .meta({ id: 'FeedSummary' })

export function summaryOperation(id: string, path: string, dataset: EntityType): Operation {
  const summary = `Recently registered: counts of ${dataset}`
  const description =
    `Records of the feed by day and state, within your grants; at most ${summaryDays.max} days at a time. ` +
    'Does not count against the daily record budget.'
  return operation({
    ...{ id, method: 'GET', path, summary, description },
    caller: { scopes: ['read'] },
    audit: 'nothing',
    seesAll: true,
    errors: feedErrors,
    query: Asked,
    reply: { 200: FeedSummary },
    example,
    handle: async ({ db, expensiveReads }, request, principal) => {
      const today = await readToday(db)
      const requested = daysOf(request.query, today)
      const scope = openScope(await effectiveScope(db, principal, dataset), dataset)
      const places = placesOf(request.query)
      const directory = await locatePlaces(db, scope.grants, places)
      const grants = grantsWithin(scope.grants, places, directory, dataset)
      const [from, to] = [requested.from_date, requested.to_date]
      const query = { scopes: grants.map(scopeOf), today, from, to, state: places.state }
      const counts = await expensiveReads.run(request, (expensiveDb) => readSummary(expensiveDb, dataset, query))
      return {
        total: counts.reduce((sum, { total }) => sum + total, 0),
        by_state: byState(counts),
        by_day: counts,
        access: appliedScope(scope.granted_by, grants, requested),
      }
    },
  })
}

/** @throws AppError UNPROCESSABLE where the days are reversed or too many. */
function daysOf(
  requested: { readonly from_date?: string | undefined; readonly to_date?: string | undefined },
  today: string,
) {
  checkDays(requested)
  const to =
    requested.to_date ??
    (requested.from_date === undefined ? today : daysAfter(requested.from_date, summaryDays.max - 1))
  const from = requested.from_date ?? daysAfter(to, 1 - summaryDays.usual)
  if (to > daysAfter(from, summaryDays.max - 1)) {
    const message = `${from} to ${to} are more than ${summaryDays.max} days. Ask for fewer at a time.`
    throw new AppError('UNPROCESSABLE', message, { extra: { parameter: 'from_date' } })
  }
  return { from_date: from, to_date: to }
}

function byState(counts: readonly DayCount[]): { state: string | null; total: number }[] {
  const totals = new Map<string | null, number>()
  for (const { state: name, total } of counts) totals.set(name, (totals.get(name) ?? 0) + total)
  return [...totals]
    .map(([name, total]) => ({ state: name, total }))
    .sort((a, b) => b.total - a.total || (a.state ?? '').localeCompare(b.state ?? ''))
}
