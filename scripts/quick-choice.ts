/**
 * Which tests a change most likely breaks, and how many of them fit into a time. Paths and the import graph in, test files
 * out; nothing is read here.
 */
import { posix } from 'node:path'

export interface TestFile {
  readonly path: string
  /** As long as it last took, or as files of its size take. */
  readonly ms: number
}

/** Of a suite before its first file: it starts a database, builds the pages, makes a sample world. */
const setUpMs: Readonly<Record<string, number>> = { story: 25_000, console: 30_000 }
const usualSetUpMs = 5_000
/** Of a file that has not run here: what the suites' files take when the machine has nothing else to do. */
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
 * How likely each file notices the change: more the fewer imports lie between, the more of what changed it reaches, and
 * the fewer others reach that. For tests of which there is no record of what they execute.
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
      const told = (kinship(file, path) * 2 ** -distance) / Math.log2(1 + tests.length)
      sum.set(file, (sum.get(file) ?? 0) + told)
    }
  }
  return sum
}

/** A test that is named like a file, or lies in its wing, was written for it. */
export const kinship = (test: string, path: string): number =>
  nameOf(test) === nameOf(path) ? 4 : wingOf(test) === wingOf(path) ? 2 : 1

/** Imports between a file and the nearest changed one. */
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

/** The likeliest first; of those that are about as likely the shortest, and none that no longer fits. */
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

/** What files take one after the other, with what their suites do first. */
export function timeOf(files: readonly TestFile[]): number {
  const suites = new Set(files.map(({ path }) => suiteOf(path)))
  const setUp = [...suites].reduce((sum, suite) => sum + (setUpMs[suite] ?? usualSetUpMs), 0)
  return setUp + files.reduce((sum, { ms }) => sum + ms, 0)
}
