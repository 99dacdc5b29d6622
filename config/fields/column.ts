/**
 * What is said of a column of a register, and how it is written down: `kind(name, label, where it is shown, more)`. SQL
 * lists, row types, schemas, the screener's fields, the names in histories and `docs/fields.md` are made of it.
 */
import type { Vocabulary } from '../vocabularies.ts'
import type { Form } from './forms.ts'

/**
 * Answers that show some columns of a record. `hit` is what a search finds, `feed` what was registered lately, `lead` what a
 * paid order delivers, nested and as a row. A history shows every column that has a name.
 */
export const surfaces = ['hit', 'details', 'feed', 'lead'] as const
export type Surface = (typeof surfaces)[number]

/**
 * - `code`: digits kept as text; ordered.
 * - `amount`: INR. `date`: YYYY-MM-DD, and a timestamp without zone in feeds.
 * - `list`: several texts. `email`: left out of an answer where its owner objected.
 */
export type Kind = 'identifier' | 'name' | 'text' | 'code' | 'amount' | 'integer' | 'date' | 'list' | 'email'

interface More {
  /** Other names: of an answer, of the screener, or in the flat row of a lead. */
  readonly as?: Readonly<Partial<Record<Surface | 'screener' | 'row', string>>>
  /** Further names that the screener takes. */
  readonly aliases?: readonly string[]
  /** A comparison, as in `> 1000000`: the screener takes the column, and shows this as its example. */
  readonly ask?: string
  /** Whose words the values are. */
  readonly words?: Vocabulary | 'state'
  /** Length of a code, which keeps the zeros that a number loses. */
  readonly digits?: number
  /** What every value of a code looks like. */
  readonly form?: Form
  /** The column that holds the key of a name; the screener compares names without one in lower case. */
  readonly key?: string
  /** No record lacks it; of an identifier that goes without saying. */
  readonly isFilled?: true
  /** It says something of a person. */
  readonly isPersonal?: true
  /** What the API's document adds. */
  readonly note?: string
}

export interface Column extends More {
  readonly kind: Kind
  /** In the API's answers; null where none of them shows the column, histories included. */
  readonly name: string | null
  readonly label: string
  readonly on: readonly Surface[]
}
export type Columns = Readonly<Record<string, Column>>

type Told<K, N, S, M> = { readonly kind: K; readonly name: N; readonly label: string; readonly on: S } & M

const kindOf =
  <K extends Kind>(kind: K) =>
  <const N extends string | null, const S extends readonly Surface[], const M extends More = Record<never, never>>(
    name: N,
    label: string,
    on: S,
    more?: M,
  ) =>
    ({ kind, name, label, on, ...more }) as Told<K, N, S, M>

export const identifier = kindOf('identifier')
export const name = kindOf('name')
export const text = kindOf('text')
export const code = kindOf('code')
export const amount = kindOf('amount')
export const integer = kindOf('integer')
export const date = kindOf('date')
export const list = kindOf('list')
export const email = kindOf('email')

/** A column that no answer shows. */
export const unshown = <K extends Kind>(kind: K, label: string, more?: More) => kindOf(kind)(null, label, [], more)

/**
 * The columns that lead an answer, where its order is not that of the register. A column that is not named follows those
 * that are, so that a new one comes last.
 */
export type Leading<C> = Readonly<Partial<Record<Surface | 'screener', readonly (keyof C)[]>>>
