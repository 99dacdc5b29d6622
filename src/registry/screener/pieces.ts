/** What a compiled query is made of: its SQL, its values, and the pieces that the words of the register make quick. */
import type { Vocabulary } from '../../../config/vocabularies.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import type { CountsShown, Guard, Withheld } from './withhold.ts'

export interface CompiledQuery {
  /** SQL of the condition over the row alias `r`. */
  readonly condition: string
  readonly values: readonly unknown[]
  /** Conditions on names that the words of the register can narrow; see name-pieces.ts. */
  readonly namePieces: readonly NamePiece[]
  /** Conditions on words, which the words that the register holds make quick; see word-pieces.ts. */
  readonly wordPieces: readonly WordPiece[]
  /** Whether conditions were narrowed to what the account may find; see withhold.ts. */
  readonly withheld: Withheld
  readonly counts: CountsShown
}

/** Values of a field with a vocabulary, and the parameter that may hold all words of the register that they mean. */
export interface WordPiece {
  readonly field: Field & { readonly vocabulary: Vocabulary }
  /** Every spelling that is meant; never empty. */
  readonly spellings: readonly string[]
  /** Those of the query that the vocabulary does not know. */
  readonly unknown: readonly Literal[]
  /** Place in `values`; null there means that the words are compared one by one. */
  readonly at: number
}

/** A piece of a name that is looked for, and the parameter that may hold a tsquery which every such name satisfies. */
export interface NamePiece {
  readonly op: 'CONTAINS' | 'ENDS_WITH'
  readonly text: string
  /** Place in `values`; null there means that nothing is known and every name is looked through. */
  readonly at: number
}

/** Where the SQL of a condition puts its values. */
export interface Output {
  /** Adds a value to the parameters and returns its placeholder. */
  bind(value: unknown): string
  /** The placeholder of the tsquery of a piece of a name. */
  bindPiece(op: NamePiece['op'], text: string): string
  /** The placeholder of the words of the register that are meant. */
  bindWords(piece: Omit<WordPiece, 'at'>): string
  readonly guard: Guard
}
