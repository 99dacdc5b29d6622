/** Kinds of rule that compose a column of several cells or columns. */
import { literal, sql } from '../../../db/sql.ts'
import { coveredByAll, coveredIf } from '../coverage.ts'
import { missing } from './faults.ts'
import { readers } from './identifier.ts'
import type { RuleKind } from './rule-kind.ts'

/** An address: the whole, or its parts in order. */
export const address: RuleKind<'address'> = {
  coverage({ whole, parts, placeParts }, { has }) {
    if (!parts.some(has)) return has(whole) ? 'value' : 'absent'
    return coveredByAll([...parts, ...placeParts].map(has))
  },
  // The row adds nothing if the record already has its parts.
  addsNothing: (column) =>
    sql`c.${column} IS NULL OR string_to_array(c.${column}, ', ') <@ string_to_array(t.${column}, ', ')`,
  sql(layers, column, { whole, parts, placeParts }) {
    const present = (fields: readonly string[]) =>
      ['NULL', ...fields.filter((field) => layers.has(field)).map((field) => `places.${layers.field(field)}`)].join(
        ', ',
      )
    // A place alone is not an address.
    const together = sql`CASE WHEN num_nonnulls(${present(parts)}) > 0 THEN concat_ws(', ', ${present([...parts, ...placeParts])}) END`
    layers.values.set(column, layers.has(whole) ? sql`coalesce(places.${layers.field(whole)}, ${together})` : together)
  },
}

/** A person's name, composed of its parts if the source has no full name. */
export const fullName: RuleKind<'full-name'> = {
  coverage: (rule, { has }) => (has(rule.from) ? 'covered' : coveredByAll(rule.parts.map(has))),
  addsNothing: (column) => sql`string_to_array(c.${column}, ' ') <@ string_to_array(t.${column}, ' ')`,
  sql(layers, column, rule) {
    const whole = `places.${layers.field(rule.from)}`
    const parts = rule.parts.map((part) => `places.${layers.field(part)}`)
    layers.values.set(column, sql`coalesce(${whole}, nullif(concat_ws(' ', ${parts.join(', ')}), ''))`)
    layers.faults.push(missing(column, rule.from))
  },
}

/** Columns of the same table joined into a key, since none of them is a key alone. */
export const joined: RuleKind<'joined'> = {
  coverage: () => 'covered',
  sql(layers, column, rule, { source }) {
    // For a date that the file does not have, the key has the same part as for an empty cell.
    const isTyped = (part: string) => {
      const own = source.columns[part]
      return own?.kind !== 'date' || layers.has(own.from)
    }
    const parts = rule.columns.map((part) => (isTyped(part) ? sql`coalesce(typed.${part}::text, '')` : sql`''`))
    const isThere = (part: string) => {
      const own = source.columns[part]
      return own?.kind === 'text' && layers.has(own.from)
    }
    const optional = (rule.optional ?? [])
      .filter(isThere)
      .map((part) => sql` || coalesce(${literal(rule.separator)} || left(typed.${part}::text, 60), '')`)
    layers.composed.set(column, parts.join(` || ${literal(rule.separator)} || `) + optional.join(''))
  },
}

/** The search form of the first of several columns that is not empty. */
export const nameKey: RuleKind<'name-key'> = {
  coverage: (rule, { coverageOf }) => coveredIf(rule.of.some((column) => coverageOf(column) !== 'absent')),
  sql(layers, column, rule) {
    const names = rule.of.filter((name) => layers.values.has(name)).map((name) => `typed.${name}`)
    layers.composed.set(column, sql`registry.name_key(coalesce(${[...names, `''`].join(', ')}))`)
  },
}

/** The identifier of the type that another field names. */
export const anyIdentifier: RuleKind<'any-identifier'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const entity = layers.field(rule.entityFrom)
    const cell = `places.${field}`
    layers.values.set(
      column,
      sql`CASE lower(places.${entity}) WHEN 'company' THEN ${readers['company-id'].reader(cell)}
          WHEN 'director' THEN ${readers.din.reader(cell)} WHEN 'gst' THEN ${readers.gstin.reader(cell)} END`,
    )
    layers.faults.push({
      code: 'identifier_malformed',
      when: sql`checked.${column} IS NULL`,
      message: sql`coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ' is no identifier of this entity'`,
    })
    layers.repaired.push({ kind: 'identifier_spelling', when: `checked.${column} <> checked.${field}` })
  },
}
