/** One column rule in, the SQL that reads it out: a value for the target column, and the faults that reject a row. */
import type { ColumnRule, Registry } from '../../../config/sources/source.ts'
import { addDate } from './date-sql.ts'
import { derivedValue, nicDescription, nicVintage } from './derived-sql.ts'
import { addAnyIdentifier, addIdentifier, addPreviousIds } from './identifier-sql.ts'
import type { CheckLayers, Fault } from './layers.ts'
import { addTariff } from './tariff-sql.ts'
import { joinWord } from './word-sql.ts'

type RuleOf<K extends ColumnRule['kind']> = Extract<ColumnRule, { readonly kind: K }>

export function addRule(layers: CheckLayers, column: string, rule: ColumnRule, registry: Registry): void {
  switch (rule.kind) {
    case 'company-id':
    case 'din':
    case 'gstin':
      addIdentifier(layers, column, rule)
      return
    case 'any-identifier':
      addAnyIdentifier(layers, column, rule)
      return
    case 'text':
      addText(layers, column, rule)
      return
    case 'word':
      addWord(layers, column, rule)
      return
    case 'integer':
      addInteger(layers, column, rule)
      return
    case 'amount':
      addReadable(layers, column, rule.from, (cell) => `ingest.read_amount(${cell})::numeric(20, 2)`, 'amount')
      return
    case 'date':
      addDate(layers, column, rule.from)
      return
    case 'previous-ids':
      addPreviousIds(layers, column, rule.from)
      return
    case 'mobile':
      layers.values.set(column, `ingest.read_mobile(n.${layers.field(rule.from)})`)
      // A number that nobody can call is worth no reject, but its loss is counted.
      layers.healings.push({
        kind: 'mobile_dropped',
        when: `c.${column} IS NULL AND c.${layers.field(rule.from)} IS NOT NULL`,
      })
      return
    case 'registrar':
      layers.values.set(column, registrarOf(`n.${layers.field(rule.from)}`))
      return
    case 'list':
      layers.values.set(column, listOf(`n.${layers.field(rule.from)}`, rule.separator))
      return
    case 'joined':
      layers.composed.set(
        column,
        rule.columns.map((part) => `coalesce(v.${part}::text, '')`).join(` || '${rule.separator}' || `),
      )
      return
    case 'name-key': {
      const names = rule.of.filter((name) => layers.values.has(name)).map((name) => `v.${name}`)
      layers.composed.set(column, `registry.name_key(coalesce(${[...names, `''`].join(', ')}))`)
      return
    }
    case 'full-name':
      layers.values.set(
        column,
        `coalesce(n.${layers.field(rule.from)}, nullif(concat_ws(' ', ${rule.parts.map((part) => `n.${layers.field(part)}`).join(', ')}), ''))`,
      )
      layers.faults.push(missing(column, rule.from))
      return
    case 'name-part':
      layers.values.set(column, namePart(layers, rule))
      return
    case 'derived':
      layers.values.set(column, derivedValue(layers, rule, registry))
      return
    case 'nic-vintage':
      layers.values.set(column, nicVintage(layers, rule))
      return
    case 'nic-description':
      layers.values.set(column, nicDescription(layers, rule, registry))
      return
    case 'place': {
      const parts = { city: layers.cityValue, district: 'n.district_name', state: 'n.state_name', pincode: 'n.pin' }
      layers.values.set(column, parts[rule.part])
      return
    }
    case 'tariff':
      addTariff(layers, column, rule)
      return
    case 'address': {
      // The first field is the whole address; a source without it has the parts alone.
      const [whole = '', ...parts] = rule.fields
      const found = parts.filter((field) => layers.has(field)).map((field) => `n.${layers.field(field)}`)
      const joined = `nullif(concat_ws(', ', ${['NULL', ...found].join(', ')}), '')`
      layers.values.set(column, layers.has(whole) ? `coalesce(n.${layers.field(whole)}, ${joined})` : joined)
      return
    }
  }
}

function addText(layers: CheckLayers, column: string, rule: RuleOf<'text'>): void {
  const cell = `n.${layers.field(rule.from)}`
  const cased = rule.letterCase === 'title' ? `initcap(${cell})` : rule.letterCase === 'lower' ? `lower(${cell})` : cell
  layers.values.set(column, rule.fallback === undefined ? cased : `coalesce(${cased}, '${rule.fallback}')`)
  if (rule.required) layers.faults.push(missing(column, rule.from))
  if (rule.oneOf)
    layers.faults.push(
      notOneOf(
        column,
        rule.oneOf.map((word) => `'${word}'`),
      ),
    )
}

function addInteger(layers: CheckLayers, column: string, rule: RuleOf<'integer'>): void {
  const cell = `n.${layers.field(rule.from)}`
  const value = `CASE WHEN ${cell} ~ '^[0-9]{1,9}$' AND ${cell}::integer <= ${rule.max} THEN ${cell}::integer END`
  layers.values.set(
    column,
    rule.fallback === undefined ? value : `CASE WHEN ${cell} IS NULL THEN ${rule.fallback} ELSE ${value} END`,
  )
  addUnreadable(layers, column, rule.from, 'number')
  if (rule.required) layers.faults.push(missing(column, rule.from))
  if (rule.oneOf) layers.faults.push(notOneOf(column, rule.oneOf.map(String)))
}

function addWord(layers: CheckLayers, column: string, rule: RuleOf<'word'>): void {
  const field = layers.field(rule.from)
  const alias = `word_${column}`
  layers.joined.set(alias, `coalesce(${joinWord(layers, alias, rule.vocabulary, `p.${field}`)}, p.${field})`)
  layers.values.set(column, `n.${alias}`)
}

function addReadable(
  layers: CheckLayers,
  column: string,
  from: string,
  read: (cell: string) => string,
  what: 'amount' | 'number',
): void {
  layers.values.set(column, read(`n.${layers.field(from)}`))
  addUnreadable(layers, column, from, what)
}

/** A cell with something in it that cannot be read rejects the row: a null would be a silent loss. */
function addUnreadable(layers: CheckLayers, column: string, from: string, what: 'amount' | 'number'): void {
  const field = layers.field(from)
  layers.faults.push({
    code: `${what}_unreadable`,
    when: `c.${column} IS NULL AND c.${field} IS NOT NULL`,
    message: `'"' || left(c.${field}, 80) || '" in ${column} is not a ${what} that can be read'`,
  })
}

function missing(column: string, from: string): Fault {
  return { code: 'value_missing', when: `c.${column} IS NULL`, message: `'${column} is empty (${from})'` }
}

function notOneOf(column: string, words: readonly string[]): Fault {
  const shown = words.map((word) => word.replaceAll("'", '')).join(', ')
  return {
    code: 'value_not_allowed',
    when: `c.${column} NOT IN (${words.join(', ')})`,
    message: `'"' || left(c.${column}::text, 80) || '" is none of ${shown} (${column})'`,
  }
}

function namePart(layers: CheckLayers, rule: RuleOf<'name-part'>): string {
  if (layers.has(rule.from)) return `n.${layers.field(rule.from)}`
  const full = `n.${layers.field(rule.fullFrom)}`
  switch (rule.part) {
    case 'first':
      return `split_part(${full}, ' ', 1)`
    case 'last':
      return `CASE WHEN ${full} LIKE '% %' THEN split_part(${full}, ' ', -1) END`
    case 'middle':
      return `nullif(btrim(substring(${full} FROM '^\\S+\\s+(.*)\\s+\\S+$')), '')`
  }
}

/** Trimmed members in their order; an empty cell is an empty list. */
function listOf(cell: string, separator: string): string {
  return `CASE WHEN ${cell} IS NULL THEN '{}'::text[] ELSE (
      SELECT coalesce(array_agg(btrim(member) ORDER BY position), '{}')
      FROM unnest(string_to_array(${cell}, '${separator}')) WITH ORDINALITY AS parts(member, position)
      WHERE btrim(member) <> '') END`
}

/** `RoC-Mumbai` of older files is `ROC Mumbai` of newer ones. */
function registrarOf(cell: string): string {
  return `CASE WHEN ${cell} LIKE 'ROC %' THEN ${cell} ELSE regexp_replace(${cell}, '^roc[-\\s]+', 'ROC ', 'i') END`
}
