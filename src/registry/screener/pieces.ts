/** What a compiled query is made of: its SQL, its values, and the pieces that the words of the register make quick. */
import type { Vocabulary } from '../../../config/vocabularies.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import type { CountsShown, Withheld } from './withhold.ts'

export interface CompiledQuery {
  /** SQL of the condition over the row alias `r`. */
  readonly condition: string
  readonly values: readonly unknown[]
  /** Where in `values` stands what the register tells later, by its name; null there means that nothing is known. */
  readonly places: ReadonlyMap<string, number>
  /** Conditions on names that the words of the register can narrow; see name-pieces.ts. */
  readonly namePieces: readonly NamePiece[]
  /** Conditions on words, which the words that the register holds make quick; see word-pieces.ts. */
  readonly wordPieces: readonly WordPiece[]
  /** Whether conditions were narrowed to what the account may find; see withhold.ts. */
  readonly withheld: Withheld
  readonly counts: CountsShown
}

/** Values of a field with a vocabulary, and the name of the value that may hold all words of the register that they mean. */
export interface WordPiece {
  readonly name: string
  readonly field: Field & { readonly vocabulary: Vocabulary }
  /** Every spelling that is meant; never empty. */
  readonly spellings: readonly string[]
  /** Those of the query that the vocabulary does not know. */
  readonly unknown: readonly Literal[]
}

/** A piece of a name that is looked for, and the name of the value that may hold a tsquery which every such name satisfies. */
export interface NamePiece {
  readonly name: string
  readonly op: 'CONTAINS' | 'ENDS_WITH'
  readonly text: string
}

/** Where the SQL of a condition puts its values. */
export interface Output {
  /** Adds a value to the parameters and returns its placeholder. */
  bind(value: unknown): string
  /** The placeholder of the tsquery of a piece of a name. */
  bindPiece(piece: Omit<NamePiece, 'name'>): string
  /** The placeholder of the words of the register that are meant. */
  bindWords(piece: Omit<WordPiece, 'name'>): string
}

/** The values of a compiled query with those filled in that are known by now. */
export function filledIn({ values, places }: CompiledQuery, known: ReadonlyMap<string, unknown>): readonly unknown[] {
  const filled = [...values]
  for (const [name, at] of places) if (known.has(name)) filled[at] = known.get(name)
  return filled
}
