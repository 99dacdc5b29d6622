/** The date in a cell, and the faults of unreadable and ambiguous cells. */
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf, isCovered } from '../coverage.ts'
import type { DateOrderDecision } from '../date-order.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { RuleKind } from './rule-kind.ts'

/** A missing date: databases write zeros, `0000-00-00`; spreadsheets the day before their first one, `00-01-1900`. */
const noDay = '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$'
/** `23-Nov-22`, `23/11/22`. */
const shortYear = '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
/** What a spreadsheet stores for a day from 1927 to 2173; it counts them from 1900 or from 1904, and the cell does not say which. */
const countOfDays = '^[1-9][0-9]{4}(?:\\.[0-9]+)?$'

export const date: RuleKind<'date'> = {
  coverage: ({ from, removedBy }, { has, coverageOf }) =>
    !has(from) && removedBy && isCovered(coverageOf(removedBy.column)) ? 'removed' : coveredIf(has(from)),
  addsNothing: (_column, { removedBy }) =>
    removedBy === undefined
      ? 'true'
      : sql`(c.${removedBy.column} = ${literal(removedBy.word)} AND t.${removedBy.column} <> c.${removedBy.column}) IS NOT TRUE`,
  sql(layers, column, { from, financialYear = false }) {
    if (!layers.has(from)) {
      layers.values.set(column, 'NULL::date')
      return
    }
    const field = layers.field(from)
    layers.values.set(column, `places.${preparedDate(layers, from, financialYear)}`)
    const unread = sql`checked.${column} IS NULL AND ingest.ascii_form(checked.${field}) !~* ${literal(noDay)}`
    const decision = layers.dateOrder(from)
    if (decision?.order === null) {
      layers.faults.push({
        code: 'date_ambiguous',
        when: sql`${unread} AND ingest.date_order(checked.${field}) = 'either'`,
        message: sql`'"' || left(checked.${field}, 80) || ${literal(`" in ${column} can be two days: ${whyOpen(decision)}; write it as YYYY-MM-DD`)}`,
      })
    }
    layers.faults.push({
      code: 'date_unreadable',
      when: unread,
      message: sql`'"' || left(checked.${field}, 80) || CASE WHEN ingest.ascii_form(checked.${field}) ~ ${literal(shortYear)}
        THEN ${literal(`" in ${column} has a year of two digits, which may be of either century; write it as YYYY-MM-DD`)}
        WHEN ingest.ascii_form(checked.${field}) ~ ${literal(countOfDays)}
        THEN ${literal(`" in ${column} is a spreadsheet's count of days; format the column as a date there, or write it as YYYY-MM-DD`)}
        ELSE ${literal(`" in ${column} is no day, written ${spellingsOf(decision)}`)} END`,
    })
  },
}

export function preparedDate(layers: CheckLayers, from: string, financialYear = false): string {
  const order = layers.dateOrder(from)?.order ?? 'undecided'
  const cell = layers.field(from)
  const day = sql`ingest.read_date(${cell}, ${literal(order)})`
  return layers.prepare(`d_${snake(from)}`, financialYear ? sql`coalesce(${day}, ingest.year_end(${cell}))` : day)
}

function whyOpen({ by }: DateOrderDecision): string {
  return by === 'both'
    ? 'other dates of this file show both orders of day and month'
    : 'no date of this file shows whether day or month stands first'
}

function spellingsOf(decision: DateOrderDecision | undefined): string {
  switch (decision?.order) {
    case 'dmy':
      return 'YYYY-MM-DD or DD-MM-YYYY'
    case 'mdy':
      return 'YYYY-MM-DD or MM-DD-YYYY'
    default:
      return 'YYYY-MM-DD'
  }
}
