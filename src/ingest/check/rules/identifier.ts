/**
 * CIN and similar, DIN, GSTIN: the canonical spelling of a cell, the fault of a malformed one, and what was repaired.
 */
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

type Identifier = 'company-id' | 'din' | 'gstin'

export const readers = {
  'company-id': {
    reader: (cell: string) => sql`ingest.company_id(${cell})`,
    code: 'cin_malformed',
    sentence: 'is not a well-formed CIN, LLPIN, FLLPIN or FCRN',
  },
  din: {
    reader: (cell: string) => sql`ingest.din(${cell})`,
    code: 'din_malformed',
    sentence: 'is not a DIN of one to eight digits',
  },
  gstin: {
    // Repairing is expensive and comes last, so that only the few malformed ones pay for it.
    reader: (cell: string) => sql`coalesce(ingest.gstin(${cell}), ingest.gstin_repaired(${cell}))`,
    code: 'gstin_malformed',
    sentence: 'is not a well-formed GSTIN, its state code does not exist, or its check digit does not hold',
  },
} as const

/**
 * Repairs of each kind besides case, spaces and quotes: the repair's name, and a condition over `checked` for when it
 * happened.
 */
const repaired = {
  'company-id': {
    hyphen: (cell: string, value: string) => sql`strpos(${value}, '-') > 0 AND strpos(${cell}, '-') = 0`,
  },
  din: {
    lost_zeros: (cell: string, value: string) =>
      sql`length(regexp_replace(ingest.bare_identifier(${cell}), '\\.0+$', '')) < length(${value})`,
    point: (cell: string) => sql`strpos(${cell}, '.') > 0`,
  },
  gstin: {
    look_alike: (cell: string, value: string) => sql`upper(ingest.bare_identifier(${cell})) <> ${value}`,
  },
} satisfies Record<Identifier, Record<string, (cell: string, value: string) => string>>

function addIdentifier(layers: CheckLayers, column: string, rule: RuleOf<Identifier>): void {
  const field = layers.field(rule.from)
  const { reader, code, sentence } = readers[rule.kind]
  layers.values.set(column, `places.${layers.prepare(`id_${snake(rule.from)}`, reader(field))}`)
  layers.faults.push({
    code,
    when: sql`checked.${column} IS NULL`,
    message: sql`coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ${literal(` ${sentence}`)}`,
  })
  const name = rule.kind.replace('-', '_')
  const unquoted = sql`regexp_replace(checked.${field}, '^=?["'']|"$', '', 'g')`
  const others = Object.entries(repaired[rule.kind]).map(
    ([what, happened]) =>
      sql`CASE WHEN ${happened(`checked.${field}`, `checked.${column}`)} THEN ${literal(`${name}_${what}`)} END`,
  )
  layers.repaired.push({
    kind: {
      sql: sql`concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.${field})) < length(${unquoted}) THEN ${literal(`${name}_spaces`)} END,
        CASE WHEN ${unquoted} <> checked.${field} THEN ${literal(`${name}_quotes`)} END,
        CASE WHEN checked.${field} <> upper(checked.${field}) THEN ${literal(`${name}_case`)} END,
        CASE WHEN checked.${field} <> ingest.ascii_form(checked.${field}) THEN ${literal(`${name}_script`)} END,
        ${others.join(', ')})`,
    },
    when: `checked.${column} <> checked.${field}`,
  })
}

const identifier: RuleKind<Identifier> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql: addIdentifier,
}

export const companyId: RuleKind<'company-id'> = identifier
export const din: RuleKind<'din'> = identifier
export const gstin: RuleKind<'gstin'> = identifier
