/**
 * Which tests a change most likely breaks, by what each was recorded to execute. A pure function of the change and the
 * records.
 */
import { kinship } from '../quick-choice.ts'
import type { Executed } from './records.ts'

export interface Change {
  readonly path: string
  /** Its changed functions; empty where the change is outside all of them. */
  readonly functions: ReadonlySet<string>
  /** The file itself changed; it is not just a user of what did. */
  readonly isWhole: boolean
}

/** The weight of a test that called the changed function, relative to one that called another function of its file. */
const ofFunction = 8

/**
 * Higher the fewer tests called the change, and the fewer other files the test executes. For a file without executed
 * functions, such as one of data, the tests that execute its nearest importers count.
 */
export function likelihoodsExecuted(
  changes: readonly Change[],
  records: ReadonlyMap<string, Executed>,
  importers: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const sum = new Map<string, number>()
  const executing = (path: string): readonly string[] =>
    [...records].filter(([, executed]) => executed[path] !== undefined).map(([test]) => test)
  const add = (path: string, tests: readonly string[], weight: number): void => {
    for (const test of tests) {
      const focus = 1 / Math.log2(2 + Object.keys(records.get(test) ?? {}).length)
      const evidence = (weight * kinship(test, path) * focus) / Math.log2(1 + tests.length)
      sum.set(test, (sum.get(test) ?? 0) + evidence)
    }
  }
  for (const { path, functions, isWhole } of changes) {
    if (path.endsWith('.test.ts')) add(path, [path], ofFunction)
    const tests = executing(path)
    if (isWhole) add(path, tests, 1)
    const calling = tests.filter((test) => records.get(test)?.[path]?.some((name) => functions.has(name)))
    add(path, calling, ofFunction)
    if (tests.length > 0 || !isWhole) continue
    const seen = new Set([path])
    for (let ring: readonly string[] = [path]; ring.length > 0 && !ring.some((each) => executing(each).length > 0); ) {
      ring = ring.flatMap((each) => importers.get(each) ?? []).filter((each) => !seen.has(each))
      for (const each of ring) seen.add(each)
      for (const each of new Set(ring)) add(path, executing(each), 1)
    }
  }
  return sum
}
