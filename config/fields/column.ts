/**
 * How a register's column is declared: `kind(name, label, where it is shown, more)`. SQL lists, row types, schemas, the
 * screener's fields, the names in histories and `docs/fields.md` are derived from it.
 */
import type { Vocabulary } from '../vocabularies.ts'
import type { Form } from './forms.ts'

/**
 * Responses that show some of a record's columns: `hit` is a search result, `feed` a recent registration, `lead` what a
 * paid order delivers, both nested and as a flat row. A history shows every column that has a name.
 */
export const surfaces = ['hit', 'details', 'feed', 'lead'] as const
export type Surface = (typeof surfaces)[number]

/**
 * - `code`: digits kept as text; ordered.
 * - `amount`: INR.
 * - `date`: YYYY-MM-DD; in feeds, a timestamp without time zone.
 * - `list`: several texts.
 * - `email`: left out of responses if its owner objected.
 */
export type Kind = 'identifier' | 'name' | 'text' | 'code' | 'amount' | 'integer' | 'date' | 'list' | 'email'

interface More {
  /** Different names in a response, in the screener, or in a lead's flat row. */
  readonly as?: Readonly<Partial<Record<Surface | 'screener' | 'row', string>>>
  /** Further names that the screener accepts. */
  readonly aliases?: readonly string[]
  /**
   * An example comparison, such as `> 1000000`. Makes the column available in the screener, which shows the example.
   */
  readonly ask?: string
  /** The vocabulary of its values. */
  readonly words?: Vocabulary | 'state'
  /** Name of a place, stored as on a letter: a query may write it in capitals or small letters. */
  readonly isPlace?: true
  /** Length of a code, which keeps its leading zeros. */
  readonly digits?: number
  /** The form of every value of a code. */
  readonly form?: Form
  /** The column with the comparison key of a name; without one, the screener compares names in lower case. */
  readonly key?: string
  /** Never null; implied for an identifier. */
  readonly isFilled?: true
  /** Personal data. */
  readonly isPersonal?: true
  /** Additional description for the API document. */
  readonly note?: string
}

export interface Column extends More {
  readonly kind: Kind
  /** Name in the API's responses; null if none of them shows the column, including histories. */
  readonly name: string | null
  readonly label: string
  readonly on: readonly Surface[]
}
export type Columns = Readonly<Record<string, Column>>

type DeclaredColumn<K, N, S, M> = { readonly kind: K; readonly name: N; readonly label: string; readonly on: S } & M

const kindOf =
  <K extends Kind>(kind: K) =>
  <const N extends string | null, const S extends readonly Surface[], const M extends More = Record<never, never>>(
    name: N,
    label: string,
    on: S,
    more?: M,
  ) =>
    ({ kind, name, label, on, ...more }) as DeclaredColumn<K, N, S, M>

export const identifier = kindOf('identifier')
export const name = kindOf('name')
export const text = kindOf('text')
export const code = kindOf('code')
export const amount = kindOf('amount')
export const integer = kindOf('integer')
export const date = kindOf('date')
export const list = kindOf('list')
export const email = kindOf('email')

/** A column that no response shows. */
export const unshown = <K extends Kind>(kind: K, label: string, more?: More) => kindOf(kind)(null, label, [], more)

/**
 * The columns that come first in a response, if its order differs from the register's. Columns not listed follow, so
 * that a new one comes last.
 */
export type Leading<C> = Readonly<Partial<Record<Surface | 'screener', readonly (keyof C)[]>>>
