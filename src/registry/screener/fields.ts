/**
 * The fields of the screener, per type of record: name, kind, column and values known. They are the columns of
 * `config/fields` that may be asked for; the checker, the compiler and the field list of the API read this table.
 */

import type { Kind } from '../../../config/fields/column.ts'
import type { Form } from '../../../config/fields/forms.ts'
import { askedOf, type Shown } from '../../../config/fields/shown.ts'
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
 * - `text`: equality is exact, CONTAINS, STARTS_WITH and ENDS_WITH ignore case. Of a field with a vocabulary, equality takes
 *   every spelling of the value, and ignores case, spaces and punctuation of a value that the vocabulary does not know.
 * - `name`: every comparison goes through `fold`: registry.name_key, so that case, punctuation and `PVT LTD` do not
 *   matter, where the register stores the key; lower() where computing the key of every row would be too slow. A text
 *   of which the key leaves nothing, such as `llp`, is compared with the name as written; a piece that names a legal form
 *   beside other words asks for that form, see legal-forms.ts.
 * - `identifier`: CIN or GSTIN; what is typed is put into the canonical spelling. Equality takes whole ones only.
 * - `code`: digits kept as text; may be typed as a number; ordered. Equality takes codes of the field's form only.
 * - `list`: several values per record; a condition holds when one of them satisfies it.
 * - `flag`: true or false of every record; its name alone asks for true.
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
  /** SQL of the value: a constant of this file, never text of a user. */
  readonly column: string
  readonly description: string
  /** Known values of a text field; the vocabulary stays open. */
  readonly values: readonly string[]
  readonly example: string
  /** What names are compared through: `column` is folded already, the value is folded by this function. */
  readonly fold: 'registry.name_key' | 'lower'
  /** The column that is NULL where the field is missing, if that is not `column`. */
  readonly presence?: string
  /** The column of a name as it is written. */
  readonly written?: string
  /** Whose spellings a value may have: of config/vocabularies.ts, or of `src/domain/states.ts`. */
  readonly vocabulary?: Vocabulary | 'state'
  /** Codes of a fixed length keep the zeros that a number loses. */
  readonly digits?: number
  readonly form?: Form
  /** It says something of a person. */
  readonly isPersonal?: true
  /** What it is read from changes without the register: no total of it is kept. */
  readonly isBeside?: true
  /** How many plain comparisons it is worth, where it is read from further tables. */
  readonly cost?: number
}

/** A field of a query under the name that the language has for it, with what the table below says of it. */
export interface KnownField extends FieldRef {
  readonly known: Field
}

/** A query whose words are resolved: each field is known, each value is in the one spelling that its field is compared by. */
export type Asked = Node<KnownField>
export type AskedCondition = Condition<KnownField>

export const screenerFields: Readonly<Record<ScreenerType, readonly Field[]>> = {
  company: [
    ...askedOf('company').map((shown) => fieldOf('company', shown)),
    boardField,
    ...reachFields('company'),
    ownedField('company'),
  ],
  gst: [...askedOf('gst').map((shown) => fieldOf('gst', shown)), ...reachFields('gst'), ownedField('gst')],
}

/** A name with a key is compared through the key, which may be that of another name where this one is missing. */
function fieldOf(register: ScreenerType, { column, name, told }: Shown): Field {
  const own = `r.${column}`
  const hasKey = told.kind === 'name' && told.key !== undefined
  return {
    register,
    name,
    aliases: told.aliases ?? [],
    kind: kinds[told.kind],
    column: hasKey ? `r.${told.key}` : told.kind === 'name' ? sql`lower(${own})` : own,
    description: told.label,
    values: told.words === 'state' ? states.map((state) => state.name) : told.words ? wordsOf(told.words) : [],
    example: `${name} ${told.ask}`,
    fold: told.kind === 'name' && !hasKey ? 'lower' : 'registry.name_key',
    ...(hasKey && { written: own, ...(!told.isFilled && { presence: own }) }),
    ...(told.words && { vocabulary: told.words }),
    ...(told.digits && { digits: told.digits }),
    ...(told.form && { form: told.form }),
    ...(told.isPersonal && { isPersonal: told.isPersonal }),
  }
}

const equality = ['==', '!=', 'IN', 'NOT IN'] as const
const order = ['>', '>=', '<', '<=', 'BETWEEN'] as const
const match = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
const missing = ['IS NULL', 'IS NOT NULL'] as const

/** Every operator that a kind of field takes, as written in a query. */
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
