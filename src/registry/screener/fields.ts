/**
 * The fields of the screener, per type of record: name, kind, column and known values. They are the columns of
 * `config/fields` that can be searched; the checker, the compiler and the API's field list read this table.
 */

import type { Kind } from '../../../config/fields/column.ts'
import type { Form } from '../../../config/fields/forms.ts'
import { type Shown, screenerColumns } from '../../../config/fields/shown.ts'
import type { Vocabulary } from '../../../config/vocabularies.ts'
import { sql } from '../../db/sql.ts'
import { states } from '../../domain/states.ts'
import { wordsOf } from '../words/words.ts'
import type { Condition, FieldRef, Node } from './ast.ts'
import { boardField } from './board-field.ts'
import { ownedField } from './owned-field.ts'
import { reachFields } from './reach-fields.ts'

export const screenerTypes = ['company', 'gst'] as const
export type ScreenerType = (typeof screenerTypes)[number]

/**
 * - `text`: equality is exact, but the name of a place may be in capitals or small letters; CONTAINS, STARTS_WITH and
 *   ENDS_WITH ignore case. For a field with a vocabulary, equality
 *   accepts every spelling of the value, and for a value outside the vocabulary ignores case, spaces and punctuation.
 * - `name`: every comparison uses `fold`: registry.name_key, which ignores case, punctuation and `PVT LTD`, if the
 *   register stores the key; lower() if computing the key of every row would be too slow. A text with an empty key,
 *   such as `llp`, is compared with the name as written; a piece with a legal form and other words requires that form,
 *   see ../names/legal-forms.ts.
 * - `identifier`: CIN or GSTIN; input is converted to the canonical spelling. Equality accepts complete ones only.
 * - `code`: digits kept as text; may be typed as a number; ordered. Equality accepts codes of the field's form only.
 * - `list`: several values per record; a condition holds if any of them meets it.
 * - `flag`: true or false for every record; its name alone means true.
 */
export type FieldKind = 'text' | 'name' | 'identifier' | 'code' | 'number' | 'integer' | 'date' | 'list' | 'flag'

const kinds: Readonly<Record<Kind, FieldKind>> = {
  identifier: 'identifier',
  name: 'name',
  text: 'text',
  email: 'text',
  code: 'code',
  amount: 'number',
  integer: 'integer',
  date: 'date',
  list: 'list',
}

export interface Field {
  readonly register: ScreenerType
  readonly name: string
  readonly aliases: readonly string[]
  readonly kind: FieldKind
  /** SQL of the value: a constant of this file, never user input. */
  readonly column: string
  readonly description: string
  /** Known values of a text field; the vocabulary stays open. */
  readonly values: readonly string[]
  readonly example: string
  /** The function that folds values of names; `column` is already folded. */
  readonly fold: 'registry.name_key' | 'lower'
  /** The column that is NULL if the field is missing, if it is not `column`. */
  readonly presence?: string
  /** The column of a name as it is written. */
  readonly written?: string
  /** The spellings that are accepted: of config/vocabularies.ts, or of `src/domain/states.ts`. */
  readonly vocabulary?: Vocabulary | 'state'
  readonly isPlace?: true
  /** Length of a code, which keeps its leading zeros. */
  readonly digits?: number
  readonly form?: Form
  /** Personal data. */
  readonly isPersonal?: true
  /** Read from data that changes independently of the register, so totals are not cached. */
  readonly isBeside?: true
  /** Cost in plain comparisons, if it is read from further tables. */
  readonly cost?: number
}

/** A field of a query with its definition from the table below. */
export interface KnownField extends FieldRef {
  readonly known: Field
}

/** A resolved query: each field is known, each value has the canonical spelling for its field. */
export type ResolvedQuery = Node<KnownField>
export type ResolvedCondition = Condition<KnownField>

export const screenerFields: Readonly<Record<ScreenerType, readonly Field[]>> = {
  company: [
    ...screenerColumns('company').map((shown) => fieldOf('company', shown)),
    boardField,
    ...reachFields('company'),
    ownedField('company'),
  ],
  gst: [...screenerColumns('gst').map((shown) => fieldOf('gst', shown)), ...reachFields('gst'), ownedField('gst')],
}

/** A name with a key is compared by the key, which may be that of another name if this one is missing. */
function fieldOf(register: ScreenerType, { column, name, definition }: Shown): Field {
  const own = `r.${column}`
  const hasKey = definition.kind === 'name' && definition.key !== undefined
  return {
    register,
    name,
    aliases: definition.aliases ?? [],
    kind: kinds[definition.kind],
    column: hasKey ? `r.${definition.key}` : definition.kind === 'name' ? sql`lower(${own})` : own,
    description: definition.label,
    values:
      definition.words === 'state'
        ? states.map((state) => state.name)
        : definition.words
          ? wordsOf(definition.words)
          : [],
    example: `${name} ${definition.ask}`,
    fold: definition.kind === 'name' && !hasKey ? 'lower' : 'registry.name_key',
    ...(hasKey && { written: own, ...(!definition.isFilled && { presence: own }) }),
    ...(definition.words && { vocabulary: definition.words }),
    ...(definition.isPlace && { isPlace: definition.isPlace }),
    ...(definition.digits && { digits: definition.digits }),
    ...(definition.form && { form: definition.form }),
    ...(definition.isPersonal && { isPersonal: definition.isPersonal }),
  }
}

const equality = ['==', '!=', 'IN', 'NOT IN'] as const
const order = ['>', '>=', '<', '<=', 'BETWEEN'] as const
const match = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
const missing = ['IS NULL', 'IS NOT NULL'] as const

/** The operators of each kind of field, as a query writes them. */
export const operatorsOf: Readonly<Record<FieldKind, readonly string[]>> = {
  text: [...equality, ...match, ...missing],
  name: [...equality, ...match, ...missing],
  identifier: [...equality, ...match, ...missing],
  list: [...equality, ...match, ...missing],
  code: [...equality, ...order, ...match, ...missing],
  number: [...equality, ...order, ...missing],
  integer: [...equality, ...order, ...missing],
  date: [...equality, ...order, ...missing],
  flag: ['==', '!='],
}

const byName: Readonly<Record<ScreenerType, ReadonlyMap<string, Field>>> = {
  company: index(screenerFields.company),
  gst: index(screenerFields.gst),
}

function index(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)))
}

export function fieldNamed(type: ScreenerType, name: string): Field | undefined {
  return byName[type].get(name)
}
