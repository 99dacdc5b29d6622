/**
 * Which tests a change most likely breaks, and how many of them fit into a time budget. A pure function of paths and
 * the import graph.
 */
import { posix } from 'node:path'

export interface TestFile {
  readonly path: string
  /** Its last duration, or that of files of its size. */
  readonly ms: number
}

/** The set-up of a suite: it starts a database, builds the pages, makes a sample world. */
const setUpMs: Readonly<Record<string, number>> = { story: 25_000, console: 30_000 }
const usualSetUpMs = 5_000
/** For a file without a known duration: what the suite's files take on an idle machine. */
const usual: Readonly<Record<string, { readonly base: number; readonly perByte: number }>> = {
  story: { base: 15_000, perByte: 1.5 },
  console: { base: 15_000, perByte: 1 },
  faults: { base: 6_000, perByte: 1.2 },
  conformance: { base: 3_000, perByte: 0.6 },
  unit: { base: 500, perByte: 0.3 },
}
const usualElsewhere = { base: 1_500, perByte: 0.5 }

const suiteOf = (path: string): string => path.split('/')[1] ?? ''

export function usualMs(path: string, bytes: number): number {
  const { base, perByte } = usual[suiteOf(path)] ?? usualElsewhere
  return base + perByte * bytes
}

/**
 * How likely each file notices the change: more likely with fewer imports between, with more of the change reached, and
 * with fewer other files reaching it. For tests without a record of what they execute.
 */
export function likelihoods(
  changed: readonly string[],
  graph: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const importers = importersOf(graph)
  const sum = new Map<string, number>()
  for (const path of changed) {
    const reached = distancesFrom([path], importers)
    const tests = [...reached].filter(([file]) => file.endsWith('.test.ts'))
    for (const [file, distance] of tests) {
      const evidence = (kinship(file, path) * 2 ** -distance) / Math.log2(1 + tests.length)
      sum.set(file, (sum.get(file) ?? 0) + evidence)
    }
  }
  return sum
}

/** A test named like a file, or in the same folder of its kind, was written for it. */
export const kinship = (test: string, path: string): number =>
  nameOf(test) === nameOf(path) ? 4 : wingOf(test) === wingOf(path) ? 2 : 1

/** Number of imports between a file and the nearest changed one. */
export const distances = (changed: readonly string[], graph: ReadonlyMap<string, readonly string[]>) =>
  distancesFrom(changed, importersOf(graph))

export function importersOf(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const [from, targets] of graph) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), from])
  }
  return importers
}

function distancesFrom(
  paths: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const distance = new Map(paths.map((path) => [path, 0]))
  for (const [at, imports] of distance) {
    for (const importer of importers.get(at) ?? []) if (!distance.has(importer)) distance.set(importer, imports + 1)
  }
  return distance
}

const nameOf = (path: string): string => posix.basename(path).replace(/(?:\.test)?\.ts$/, '')
/** `orders` of src/orders/ledger.ts and of test/integration/orders/ledger.test.ts. */
const wingOf = (path: string): string => path.split('/')[path.startsWith('test/') ? 2 : 1] ?? ''

/** Most likely first; among about equal ones the shortest, leaving out any that no longer fits. */
export function choose(
  files: readonly TestFile[],
  likelihood: ReadonlyMap<string, number>,
  budgetMs: number,
): readonly TestFile[] {
  const band = ({ path }: TestFile): number => Math.floor(Math.log2(likelihood.get(path) ?? 0))
  const ranked = files
    .filter(({ path }) => likelihood.has(path))
    .toSorted((a, b) => band(b) - band(a) || a.ms - b.ms || (a.path < b.path ? -1 : 1))
  const chosen: TestFile[] = []
  for (const file of ranked) if (timeOf([...chosen, file]) <= budgetMs) chosen.push(file)
  return chosen
}

/** The time of files run one after the other, including the set-up of their suites. */
export function timeOf(files: readonly TestFile[]): number {
  const suites = new Set(files.map(({ path }) => suiteOf(path)))
  const setUp = [...suites].reduce((sum, suite) => sum + (setUpMs[suite] ?? usualSetUpMs), 0)
  return setUp + files.reduce((sum, { ms }) => sum + ms, 0)
}
