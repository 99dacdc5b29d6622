/** Kinds of rule that read a column from one cell. */
import { literal, sql } from '../../../db/sql.ts'
import { type Coverage, coveredIf } from '../coverage.ts'
import { addUnreadable, missing, notOneOf } from './faults.ts'
import type { Header, RuleKind } from './rule-kind.ts'
import { joinWord } from './vocabulary-joins.ts'

const ofItsField = (rule: { readonly from: string }, { has }: Header): Coverage => coveredIf(has(rule.from))

/** A cell's text in the case that the column uses, or the replacement for an empty one. */
export const text: RuleKind<'text'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from) || rule.fallback !== undefined),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    const cased =
      rule.letterCase === 'title'
        ? sql`ingest.title_case(${cell})`
        : rule.letterCase === 'lower'
          ? sql`lower(${cell})`
          : cell
    layers.values.set(column, rule.fallback === undefined ? cased : sql`coalesce(${cased}, ${literal(rule.fallback)})`)
    if (rule.required) layers.faults.push(missing(column, rule.from))
    if (rule.oneOf) layers.faults.push(notOneOf(column, rule.oneOf))
  },
}

/** The word of a vocabulary; an unknown one is kept as is. */
export const word: RuleKind<'word'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const alias = `word_${column}`
    layers.joined.set(
      alias,
      sql`coalesce(${joinWord(layers, alias, rule.vocabulary, `prepared.${field}`)}, prepared.${field})`,
    )
    layers.values.set(column, `places.${alias}`)
  },
}

/** A whole number up to a maximum; `12.0` counts, as spreadsheets write it. */
export const integer: RuleKind<'integer'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from) || rule.fallback !== undefined),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    const number = sql`ingest.read_number(${cell})`
    const value = sql`CASE WHEN ${number} <= ${rule.max} THEN ${number} END`
    layers.values.set(
      column,
      rule.fallback === undefined ? value : sql`CASE WHEN ${cell} IS NULL THEN ${rule.fallback} ELSE ${value} END`,
    )
    addUnreadable(layers, column, rule.from, 'number')
    if (rule.required) layers.faults.push(missing(column, rule.from))
    if (rule.oneOf) layers.faults.push(notOneOf(column, rule.oneOf))
  },
}

/** An amount in INR, to the paisa. */
export const amount: RuleKind<'amount'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    layers.values.set(column, sql`ingest.read_amount(places.${layers.field(rule.from)})::numeric(20, 2)`)
    addUnreadable(layers, column, rule.from, 'amount')
  },
}

/** A PIN that every record must have. */
export const pincode: RuleKind<'pincode'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    layers.values.set(column, sql`ingest.read_pincode(places.${layers.field(rule.from)})`)
    addUnreadable(layers, column, rule.from, 'number')
    layers.faults.push(missing(column, rule.from))
  },
}

/** The address of a website: the host ignores case, the path does not; a cell without a host is not an address. */
export const website: RuleKind<'website'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.website(places.${field})`)
    layers.repaired.push({
      kind: 'website_dropped',
      when: sql`checked.${column} IS NULL AND checked.${field} IS NOT NULL`,
    })
  },
}

/**
 * The registrar of companies, in one spelling: `RoC-Chennai`, `ROC CHENNAI` and `Chennai` are one partition of the
 * register.
 */
export const registrar: RuleKind<'registrar'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    const cell = `prepared.${layers.field(rule.from)}`
    const alias = `word_${column}`
    // A registrar that the table does not know yet is spelled like the others, whatever the file's case.
    const place = sql`regexp_replace(${cell}, '^roc[-.\\s]+', '', 'i')`
    layers.joined.set(
      alias,
      sql`coalesce(${joinWord(layers, alias, 'registrar', cell)},
                CASE WHEN ${cell} ~* '^roc[-.\\s]' THEN 'ROC ' || ingest.title_case(${place}) ELSE ${cell} END)`,
    )
    layers.values.set(column, `places.${alias}`)
  },
}

/** Former identifiers of a company. */
export const previousIds: RuleKind<'previous-ids'> = {
  coverage: ofItsField,
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.company_ids(places.${field})`)
    // A malformed former identifier does not reject the company; it is left out and counted.
    layers.repaired.push({
      kind: 'previous_id_dropped',
      when: sql`checked.${field} IS NOT NULL
      AND coalesce(cardinality(checked.${column}), 0) < cardinality(regexp_split_to_array(checked.${field}, '[,;|/]'))`,
    })
  },
}

/** An address or a number in another party's list, in the form in which contacts are stored. */
export const contactValue: RuleKind<'contact-value'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.contact_value(places.${field})`)
    layers.faults.push({
      code: 'identifier_malformed',
      when: sql`checked.${column} IS NULL`,
      message: sql`coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ' is neither an address nor a number'`,
    })
  },
}
