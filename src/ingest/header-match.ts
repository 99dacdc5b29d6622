/**
 * Determines which of a source's generations a list of column names matches. Order does not matter, names are compared
 * without case, spaces and punctuation, and unknown columns are tolerated and counted.
 */
import type { HeaderGeneration, Source } from '../../config/sources/source.ts'
import { asciiForm } from '../domain/ascii-form.ts'
import { columnsOfFile } from './rejects-columns.ts'

export interface HeaderMatch {
  readonly generation: HeaderGeneration
  /** Field → position of its column, from 1. */
  readonly positions: ReadonlyMap<string, number>
  readonly drift: {
    readonly generation: string
    readonly missing: readonly string[]
    /** Names that the source knows but this header does not need. */
    readonly extra: readonly string[]
    /**
     * Number of other columns, excluding those that an export of rejects adds. Their names are text from the input, and
     * are only shown with its rows.
     */
    readonly unknown: number
  }
}

/** Whether two column names are equal apart from case, spaces and punctuation. */
export const sameColumn = (one: string, other: string): boolean => normal(one) === normal(other)

/** The names that some generation of the source uses for a column; all others are arbitrary text of the file. */
export function knownNames(source: Pick<Source, 'generations'>, names: readonly string[]): string[] {
  const known = new Set(source.generations.flatMap(({ columns }) => Object.values(columns).flat()).map(normal))
  return names.filter((name) => known.has(normal(name)))
}

const normal = (name: string): string =>
  asciiForm(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** Every generation with the columns that the names match, and the required ones that are missing. */
export function candidatesOf(source: Pick<Source, 'generations'>, names: readonly string[]) {
  return source.generations.map((generation) => {
    const positions = positionsOf(generation, names)
    const missing = generation.required.filter((field) => !positions.has(field))
    return { generation, positions, missing }
  })
}

/** @returns undefined for a header of no generation. */
export function findMatch(source: Pick<Source, 'generations'>, names: readonly string[]): HeaderMatch | undefined {
  const match = candidatesOf(source, names).find((candidate) => candidate.missing.length === 0)
  if (!match) return undefined
  const { generation, positions } = match
  const used = new Set(positions.values())
  const unused = columnsOfFile(names).filter((_, index) => !used.has(index + 1))
  const extra = knownNames(source, unused)
  const drift = {
    generation: generation.name,
    missing: Object.keys(generation.columns).filter((field) => !positions.has(field)),
    extra,
    unknown: unused.length - extra.length,
  }
  return { generation, positions, drift }
}

function positionsOf(generation: HeaderGeneration, names: readonly string[]): Map<string, number> {
  const byName = new Map(names.map((name, index) => [normal(name), index + 1] as const).reverse())
  const positions = new Map<string, number>()
  for (const [field, accepted] of Object.entries(generation.columns)) {
    const position = accepted.map((name) => byName.get(normal(name))).find((found) => found !== undefined)
    if (position !== undefined) positions.set(field, position)
  }
  return positions
}
