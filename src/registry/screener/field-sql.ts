/** How fields of each kind are compared: the cast, equality, text matching and order. */
import { sql } from '../../db/sql.ts'
import type { Literal, MatchOperator } from './ast.ts'
import type { Field, FieldKind } from './fields.ts'
import { isNamed, matchesName, matchText } from './name-condition.ts'
import type { Output } from './pieces.ts'
import { isOneOf, wordsAsked } from './word-condition.ts'

export interface Match {
  readonly op: MatchOperator
  readonly value: Literal
}

interface Comparing {
  readonly cast: string
  /** Equal to one of the values. */
  readonly equals: (field: Field, values: readonly Literal[], out: Output) => string
  /** `negated` says whether the caller negates it. */
  readonly matches: (field: Field, match: Match, negated: boolean, out: Output) => string
  readonly ordered: (column: string) => string
}

export const bound = ({ kind }: Field, { value }: Literal, out: Output): string =>
  `${out.bind(value)}${comparing[kind].cast}`
const allBound = ({ kind }: Field, values: readonly Literal[], out: Output): string =>
  `${out.bind(values.map(({ value }) => value))}${comparing[kind].cast}[]`

/**
 * @param one for a single value
 * @param any for several values
 */
const byValues =
  (one: (column: string, value: string) => string, any: (column: string, values: string) => string) =>
  (field: Field, values: readonly Literal[], out: Output): string => {
    const words = wordsAsked(field, values)
    const [only, ...others] = values
    if (words) return isOneOf(words, out)
    return only && others.length === 0
      ? one(field.column, bound(field, only, out))
      : any(field.column, allBound(field, values, out))
  }

const matching =
  (text: (column: string) => string, needle: (value: string) => string) =>
  (field: Field, { op, value }: Match, _negated: boolean, out: Output): string =>
    matchText(op, text(field.column), needle(bound(field, value, out)))

const asIs = (column: string): string => column
const lower = (text: string): string => sql`lower(${text})`

const plain: Comparing = {
  cast: '::text',
  equals: byValues(
    (column, value) => sql`${column} = ${value}`,
    (column, values) => sql`${column} = ANY (${values})`,
  ),
  // Names are already folded, identifiers and codes are stored in one case; only free text needs lower().
  matches: matching(asIs, asIs),
  ordered: asIs,
}

const placeName = (text: string): string => sql`coalesce(ingest.place_name(${text}, NULL), ${text})`

/** As the query writes it, or as the import does: both are compared with the column itself, which has an index. */
const isPlace = byValues(
  (column, value) => sql`${column} IN (${value}, ${placeName(value)})`,
  (column, values) =>
    sql`${column} = ANY (${values} || ARRAY(SELECT ${placeName('word')} FROM unnest(${values}) AS word))`,
)

export const comparing: Readonly<Record<FieldKind, Comparing>> = {
  text: {
    ...plain,
    equals: (field, values, out) => (field.isPlace ? isPlace : plain.equals)(field, values, out),
    matches: matching(lower, lower),
  },
  identifier: { ...plain, matches: matching(asIs, (needle) => sql`upper(${needle})`) },
  name: { ...plain, equals: isNamed, matches: matchesName },
  // Codes are ordered by their digits, whatever the database's collation.
  code: { ...plain, ordered: (column) => sql`${column} COLLATE "C"` },
  number: { ...plain, cast: '::numeric' },
  integer: { ...plain, cast: '::bigint' },
  date: { ...plain, cast: '::date' },
  flag: { ...plain, equals: ({ column }) => column },
  // The forms that the GIN indexes of the list columns support.
  list: {
    ...plain,
    equals: byValues(
      (column, value) => sql`${column} @> ARRAY[${value}]`,
      (column, values) => sql`${column} && ${values}`,
    ),
    matches: ({ column }, { op, value }, _negated, out) => {
      const needle = lower(sql`${out.bind(value.value)}::text`)
      return sql`EXISTS (SELECT FROM unnest(${column}) AS member WHERE ${matchText(op, 'lower(member)', needle)})`
    },
  },
}
