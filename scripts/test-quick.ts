/**
 * `npm run test:quick [since]`: the tests that a change most likely breaks, within three minutes. What changed is told
 * by git (what is not committed, or where that is nothing, since `since`, by default the commit before); tests are taken
 * by how few imports lie between them and the change, until their last known durations fill the time.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { z } from 'zod'
import { lengthyTests } from '../test/support/lengthy-tests.ts'
import { importGraph } from '../test/unit/house/import-graph.ts'

const budgetMs = 150_000
/** Of a file that has not run here yet. */
const unknownMs = 8000
const root = new URL('../', import.meta.url)
const isTest = (path: string): boolean => path.endsWith('.test.ts')
/** The short ones among the unit tests are run anyway. */
const isPicked = (path: string): boolean =>
  isTest(path) && (!path.startsWith('test/unit/') || lengthyTests.some((glob) => posix.matchesGlob(path, glob)))

const lines = (command: readonly string[]): string[] =>
  execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

function changedFiles(since: string | undefined): string[] {
  const open = [...lines(['diff', '--name-only', 'HEAD']), ...lines(['ls-files', '--others', '--exclude-standard'])]
  return since === undefined && open.length > 0 ? open : lines(['diff', '--name-only', since ?? 'HEAD~1'])
}

/** A statement or a page belongs to the code that lies beside it. */
function codeOf(path: string, known: readonly string[]): string[] {
  if (known.includes(path)) return [path]
  return known.filter((each) => posix.dirname(each) === posix.dirname(path) && !isTest(each))
}

/** Imports between a test and the nearest changed file. */
export function distances(
  changed: readonly string[],
  graph: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const importers = new Map<string, string[]>()
  for (const [from, targets] of graph) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), from])
  }
  const distance = new Map(changed.map((path) => [path, 0]))
  for (const path of distance.keys()) {
    for (const importer of importers.get(path) ?? [])
      if (!distance.has(importer)) distance.set(importer, (distance.get(path) ?? 0) + 1)
  }
  return distance
}

/** What vitest remembers of its runs; another shape means another version, and every duration is unknown again. */
const Results = z.object({
  projects: z
    .record(z.string(), z.object({ files: z.record(z.string(), z.object({ duration: z.number() })) }))
    .catch({}),
})

function lastDurations(): Map<string, number> {
  const found = new Map<string, number>()
  for (const file of globSync('node_modules/.vite/vitest/*/results.json', { cwd: root })) {
    const { projects } = Results.parse(JSON.parse(readFileSync(new URL(file, root), 'utf8')))
    for (const { files } of Object.values(projects))
      for (const [path, { duration }] of Object.entries(files)) found.set(path, duration)
  }
  return found
}

export function pick(distance: ReadonlyMap<string, number>, durations: ReadonlyMap<string, number>): string[] {
  const nearest = [...distance]
    .filter(([path]) => isPicked(path))
    .toSorted(([a, from], [b, to]) => from - to || (durations.get(a) ?? unknownMs) - (durations.get(b) ?? unknownMs))
  let left = budgetMs
  return nearest.flatMap(([path]) => {
    const takes = durations.get(path) ?? unknownMs
    if (takes > left) return []
    left -= takes
    return [path]
  })
}

if (import.meta.main) {
  const paths = globSync('{src,config,connectors,jobs,scripts,test,client}/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules'))
  const graph = importGraph(paths.map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') })))
  const changed = changedFiles(process.argv[2])
  const distance = distances([...new Set(changed.flatMap((path) => codeOf(path, paths)))], graph)
  const picked = pick(distance, lastDurations())
  const passedOver = [...distance.keys()].filter(isPicked).length
  console.log(
    `${changed.length} changed files; ${picked.length} of ${passedOver} test files that they reach, and the unit tests`,
  )
  const run = (parameters: readonly string[]): boolean =>
    spawnSync('vitest', ['run', ...parameters], { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0
  const isUnitGreen = run(['--project', 'unit'])
  if (!isUnitGreen || (picked.length > 0 && !run(picked))) process.exitCode = 1
}
