/**
 * The test files that see a file of the code, nearest first: by imports between them, and before that by the words that
 * their paths share, since through the API every test reaches nearly every file. What none of the nearest kills may yet
 * be killed by one further away: a score taken this way is a lower bound.
 */
import { posix } from 'node:path'
import { distances } from '../quick-choice.ts'

/** Children with programs of their own, long stories and faults take too long for every mutant. */
const taken = /^test\/(unit|integration|security|conformance)\/(?!recipes\/|ops\/|house\/|backup\/).*\.test\.ts$/

/** @param sources of all files of TypeScript by their path @returns at most `count` paths */
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

/** A statement belongs to the files beside it that name it. */
export function ownersOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  if (sources.has(path)) return [path]
  const name = posix.basename(path)
  return [...sources].filter(([each, source]) => each.startsWith('src/') && source.includes(name)).map(([each]) => each)
}

/** By their first five letters, so that `refund` and `refunds` are one. */
const wordsOf = (path: string): string[] => [
  ...new Set(
    path
      .replace(/(\.test)?\.(ts|sql)$/, '')
      .split(/[^a-z]+/)
      .filter((word) => word.length > 3 && word !== 'test')
      .map((word) => word.slice(0, 5)),
  ),
]
