/** One small change to a source file, for which at least one test should fail. */
import { createHash } from 'node:crypto'

export interface Mutation {
  /** What kind of change it is, in two or three words. */
  readonly kind: string
  /** Start and end of the replaced text, in UTF-16 units of the file. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export interface Mutant extends Mutation {
  /** Stable while its file is unchanged, so that an interrupted run can resume. */
  readonly id: string
  /** Relative to the repository. */
  readonly path: string
  readonly line: number
  readonly before: string
}

export function mutantsOf(path: string, source: string, mutations: readonly Mutation[]): Mutant[] {
  const file = createHash('sha256').update(path).update(source).digest('hex')
  return mutations.map((mutation) => {
    const { kind, start, end, replacement } = mutation
    const name = [file, kind, start, end, replacement].join('\0')
    return {
      ...mutation,
      id: createHash('sha256').update(name).digest('hex').slice(0, 16),
      path,
      line: source.slice(0, start).split('\n').length,
      before: source.slice(start, end),
    }
  })
}

export const applied = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)
