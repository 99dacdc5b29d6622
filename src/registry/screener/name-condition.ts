/**
 * Conditions on names. Both sides are folded, so case, punctuation and legal form do not matter. A text whose fold is
 * empty, such as `llp` or `&`, is compared with the name as written, ignoring case. A piece with a legal form and other
 * words is also searched in the name as written.
 */
import { sql } from '../../db/sql.ts'
import { comparedForm, type LegalFormAsked, legalFormAsked } from '../names/legal-forms.ts'
import type { Literal, MatchOperator } from './ast.ts'
import type { Field } from './fields.ts'
import type { Output } from './pieces.ts'

interface Match {
  readonly op: MatchOperator
  readonly value: Literal
}

/** Words that registry.name_key omits, after it has normalized spaces, signs and non-ASCII letters. */
const foldedAway = /^(?:private|pvt|p|limited|ltd|llp|liabilitypartnership|opc|the|and)*$/
/** Whether the key of the text may be empty; for most texts it cannot, and only the key is compared. */
const mayFoldAway = (field: Field, { value }: Literal): boolean =>
  field.written !== undefined &&
  (/[^\0-\x7F]/.test(value) || foldedAway.test(value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')))

/** By the key or, if the key is empty, by the name as written. The planner decides once which. */
export function matchesName(field: Field, condition: Match, negated: boolean, out: Output): string {
  const formAsked = field.written === undefined ? undefined : legalFormAsked(condition.op, condition.value.value)
  if (field.written !== undefined && formAsked)
    return matchesForm(field, field.written, condition, formAsked, negated, out)
  const needle = sql`${out.bind(condition.value.value)}::text`
  const byKey = `${narrowed(field, condition, negated, out)}${matchText(condition.op, field.column, `${field.fold}(${needle})`)}`
  const { written } = field
  if (written === undefined || !mayFoldAway(field, condition.value)) return byKey
  const asWritten = matchText(condition.op, sql`lower(${written})`, sql`lower(${needle})`)
  return sql`CASE WHEN ${field.fold}(${needle}) = '' THEN ${asWritten} ELSE ${byKey} END`
}

/** The key first: it costs a third of the pattern, and its words have an index. */
function matchesForm(
  field: Field,
  written: string,
  { op, value }: Match,
  { core, pattern }: LegalFormAsked,
  negated: boolean,
  out: Output,
): string {
  const key = { op, value: { ...value, value: core } }
  const byKey =
    core === ''
      ? ''
      : sql`${narrowed(field, key, negated, out)}${matchText(op, field.column, sql`${field.fold}(${out.bind(core)}::text)`)} AND `
  return sql`(${byKey}${comparedForm(written)} ~ ${out.bind(pattern)}::text)`
}

export function isNamed(field: Field, literals: readonly Literal[], out: Output): string {
  const kept = literals.filter((literal) => !mayFoldAway(field, literal))
  const odd = literals.filter((literal) => mayFoldAway(field, literal))
  const [only] = kept
  const byKey =
    kept.length === 1 && only
      ? [sql`${field.column} = ${field.fold}(${out.bind(only.value)}::text)`]
      : kept.length > 0
        ? [sql`${field.column} = ANY (${keysOf(field, kept, out)})`]
        : []
  const byEither = odd.map((literal) => {
    const needle = sql`${out.bind(literal.value)}::text`
    return sql`CASE WHEN ${field.fold}(${needle}) = '' THEN lower(${field.written ?? field.column}) = lower(${needle}) ELSE ${field.column} = ${field.fold}(${needle}) END`
  })
  const terms = [...byKey, ...byEither]
  return terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`
}

/** The keys of several names. */
const keysOf = (field: Field, literals: readonly Literal[], out: Output): string =>
  sql`ARRAY(SELECT ${field.fold}(word) FROM unnest(${out.bind(literals.map(({ value }) => value))}::text[]) AS word)`

/**
 * The condition on the word index of names, if it can be used: implied by the match that follows, so it changes no
 * result. An unnamed statement is planned with its values, so a null tsquery costs nothing.
 */
function narrowed(field: Field, { op, value }: Match, negated: boolean, out: Output): string {
  if (negated || field.column !== 'r.name_key' || op === 'STARTS_WITH') return ''
  const query = sql`${out.bindPiece({ op, text: value.value })}::tsquery`
  return sql`(${query} IS NULL OR to_tsvector('simple', ${field.column}) @@ ${query}) AND `
}

export function matchText(op: MatchOperator, text: string, needle: string): string {
  switch (op) {
    case 'CONTAINS':
      return sql`strpos(${text}, ${needle}) > 0`
    case 'STARTS_WITH':
      return sql`starts_with(${text}, ${needle})`
    case 'ENDS_WITH':
      return sql`right(${text}, length(${needle})) = ${needle}`
  }
}
