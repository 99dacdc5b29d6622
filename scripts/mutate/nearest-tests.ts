/**
 * The test files that reach a source file, nearest first: ordered by the words that their paths share, then by imports
 * between them, since through the API every test reaches nearly every file. A mutant that none of the nearest kills may
 * still be killed by another test: the score is a lower bound.
 */
import { posix } from 'node:path'
import { distances } from '../quick-choice.ts'

/** Child programs, long stories and fault tests take too long for every mutant. */
const taken = /^test\/(unit|integration|security|conformance)\/(?!recipes\/|ops\/|house\/|backup\/).*\.test\.ts$/

/** @param sources all TypeScript files by path @returns at most `count` paths */
export function nearestTests(
  path: string,
  sources: ReadonlyMap<string, string>,
  graph: ReadonlyMap<string, readonly string[]>,
  count: number,
): string[] {
  const distance = distances(ownersOf(path, sources), graph)
  const words = wordsOf(path)
  const far = (test: string): number =>
    (distance.get(test) ?? Infinity) - 3 * wordsOf(test).filter((word) => words.includes(word)).length
  return [...distance.keys()]
    .filter((each) => taken.test(each))
    .toSorted((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
    .slice(0, count)
}

/** A statement belongs to the files next to it that name it. */
export function ownersOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  if (sources.has(path)) return [path]
  const name = posix.basename(path)
  return [...sources].filter(([each, source]) => each.startsWith('src/') && source.includes(name)).map(([each]) => each)
}

/** By their first five letters, so that `refund` and `refunds` match. */
const wordsOf = (path: string): string[] => [
  ...new Set(
    path
      .replace(/(\.test)?\.(ts|sql)$/, '')
      .split(/[^a-z]+/)
      .filter((word) => word.length > 3 && word !== 'test')
      .map((word) => word.slice(0, 5)),
  ),
]
