/** The parts of a compiled query: its SQL, its values, and the pieces that the register's words speed up. */
import type { Vocabulary } from '../../../config/vocabularies.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import type { CountsShown, Withheld } from './withhold.ts'

export interface CompiledQuery {
  /** SQL of the condition over the row alias `r`. */
  readonly condition: string
  readonly values: readonly unknown[]
  /**
   * Positions in `values`, by name, of values that the register's words fill in later; null there means that nothing is
   * known.
   */
  readonly places: ReadonlyMap<string, number>
  /** Conditions on names that the register's words can narrow; see name-pieces.ts. */
  readonly namePieces: readonly NamePiece[]
  /** Conditions on words that the words in the register speed up; see word-pieces.ts. */
  readonly wordPieces: readonly WordPiece[]
  /** Whether conditions were restricted to what the account may find; see withhold.ts. */
  readonly withheld: Withheld
  readonly counts: CountsShown
}

/** Values of a field with a vocabulary, and the name of the bound value for all matching words in the register. */
export interface WordPiece {
  readonly name: string
  readonly field: Field & { readonly vocabulary: Vocabulary }
  /** Every matching spelling; never empty. */
  readonly spellings: readonly string[]
  /** Those of the query that are not in the vocabulary. */
  readonly unknown: readonly Literal[]
}

/** A piece of a name to search for, and the name of the bound value for a tsquery that every matching name meets. */
export interface NamePiece {
  readonly name: string
  readonly op: 'CONTAINS' | 'ENDS_WITH'
  readonly text: string
}

/** Receives the values of a condition's SQL. */
export interface Output {
  /** Adds a value to the parameters and returns its placeholder. */
  bind(value: unknown): string
  /** The placeholder of the tsquery for a piece of a name. */
  bindPiece(piece: Omit<NamePiece, 'name'>): string
  /** The placeholder of the matching words in the register. */
  bindWords(piece: Omit<WordPiece, 'name'>): string
}

/** The values of a compiled query, with the known ones filled in. */
export function filledIn({ values, places }: CompiledQuery, known: ReadonlyMap<string, unknown>): readonly unknown[] {
  const filled = [...values]
  for (const [name, at] of places) if (known.has(name)) filled[at] = known.get(name)
  return filled
}
