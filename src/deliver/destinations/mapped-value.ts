/**
 * The value that a mapping puts into a field: a constant, a column, a template, a member of a rotation, or one of
 * these chosen by a condition. Pure; the caller supplies the rotation member.
 */
import { z } from 'zod'
import type { LeadRow } from '../../../config/lead-columns.ts'

const textMax = 2_000
const listMax = 100
export const conditionsMax = 50

const column = z.string().max(100)
const number = z.number()

const PlainValue = z.union([
  z.strictObject({ constant: z.string().max(textMax).describe('The same for every lead') }),
  z.strictObject({ column: column.describe('A column of the lead') }),
  z.strictObject({
    template: z.string().max(textMax).describe('Text with columns in it: `{LegalName} ({GSTIN})`'),
  }),
  z.strictObject({
    round_robin: z
      .array(z.string().min(1).max(textMax))
      .min(1)
      .max(listMax)
      .describe('A rotation: each new record gets the next one and keeps it'),
  }),
  z.strictObject({ omit: z.literal(true).describe('Never write this field') }),
])
export type PlainValue = z.infer<typeof PlainValue>

const Condition = z
  .strictObject({
    column: column.describe('A column of the lead'),
    is: z.array(z.string().max(textMax)).min(1).max(listMax).optional().describe('One of these, ignoring case'),
    at_least: number.optional().describe('A number from this on'),
    below: number.optional().describe('A number below this'),
    value: PlainValue.describe('The value if the condition holds'),
  })
  .refine(({ is, at_least: from, below }) => (is === undefined) !== (from === undefined && below === undefined), {
    message: 'needs is, or at_least and below',
  })
type Condition = z.infer<typeof Condition>

export const MappedValue = z.union([
  PlainValue,
  z.strictObject({
    conditions: z.array(Condition).min(1).max(conditionsMax).describe('The first one that holds applies'),
    otherwise: PlainValue.optional().describe("If none holds; default: the connector's own value"),
  }),
])
export type MappedValue = z.infer<typeof MappedValue>

/** Every plain value that it can resolve to. */
export function branchesOf(value: MappedValue): readonly PlainValue[] {
  if (!('conditions' in value)) return [value]
  return [...value.conditions.map((each) => each.value), ...(value.otherwise ? [value.otherwise] : [])]
}

/** True if it has a value for every lead. */
export const fillsAlways = (value: MappedValue): boolean =>
  branchesOf(value).every((each) => !('omit' in each)) && (!('conditions' in value) || value.otherwise !== undefined)

/** Columns that it reads. */
export function columnsOfValue(value: MappedValue): string[] {
  const tested = 'conditions' in value ? value.conditions.map((each) => each.column) : []
  return [...tested, ...branchesOf(value).flatMap(columnsOfPlain)]
}

function columnsOfPlain(value: PlainValue): string[] {
  if ('column' in value) return [value.column]
  return 'template' in value ? [...value.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '') : []
}

/** The branch that applies to this lead; undefined: the connector's own value. */
export function branchFor(value: MappedValue, row: LeadRow): PlainValue | undefined {
  if (!('conditions' in value)) return value
  return value.conditions.find((each) => holds(each, row))?.value ?? value.otherwise
}

function holds({ column: name, is, at_least: from, below }: Condition, row: LeadRow): boolean {
  const cell = String(row[name] ?? '').trim()
  if (is !== undefined && !is.some((each) => each.trim().toLowerCase() === cell.toLowerCase())) return false
  if (from === undefined && below === undefined) return true
  const found = cell === '' ? Number.NaN : Number(cell)
  return Number.isFinite(found) && found >= (from ?? -Infinity) && found < (below ?? Infinity)
}

/**
 * The value as text; null: not written. A template none of whose columns is known yields nothing, whatever its fixed
 * text.
 * @param turn the rotation member; undefined if none was requested, and then the value is undefined too.
 */
export function textOfPlain(value: PlainValue, row: LeadRow, turn: string | undefined): string | null | undefined {
  if ('omit' in value) return null
  if ('constant' in value) return value.constant
  if ('round_robin' in value) return turn
  const cell = (name: string) => String(row[name] ?? '')
  if ('column' in value) return cell(value.column)
  const columns = columnsOfPlain(value)
  if (columns.length > 0 && columns.every((name) => cell(name).trim() === '')) return ''
  return value.template.replace(/\{(\w+)\}/g, (_, name: string) => cell(name))
}
