/**
 * `npm run test:quick [since]`: the tests that a change most likely breaks, within three minutes. What changed is told
 * by git (what is not committed, or where that is nothing, since `since`, by default the commit before). The unit tests
 * run whole; the others in two parts, so that the second is as long as the time that the first left, at the pace that it had.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { z } from 'zod'
import { lengthyTests } from '../test/support/lengthy-tests.ts'
import { importGraph } from '../test/unit/house/import-graph.ts'
import { choose, likelihoods, type TestFile, timeOf, usualMs } from './quick-choice.ts'

const wholeMs = 170_000
/** What the short unit tests take on two quiet cores. */
const unitMs = 20_000
/** The first part's share of the time that is left. */
const firstShare = 0.5
/** With less than this a part is not worth its start. */
const partMsMin = 15_000
const root = new URL('../', import.meta.url)
/** The short ones among the unit tests are run anyway. */
const isPicked = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  (!path.startsWith('test/unit/') || lengthyTests.some((glob) => posix.matchesGlob(path, glob)))

const lines = (command: readonly string[]): string[] =>
  execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

function changedFiles(since: string | undefined): string[] {
  const open = [...lines(['diff', '--name-only', 'HEAD']), ...lines(['ls-files', '--others', '--exclude-standard'])]
  return since === undefined && open.length > 0 ? open : lines(['diff', '--name-only', since ?? 'HEAD~1'])
}

/** A page of the console belongs to the tests of the console, a statement to the code beside it, and any file to what names it. */
export function codeOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  if (sources.has(path)) return [path]
  const known = [...sources.keys()]
  if (path.startsWith('web/')) return known.filter((each) => each.startsWith('test/console/'))
  if (path.startsWith('migrations/')) return ['src/db/migrate.ts']
  const naming = known.filter((each) => sources.get(each)?.includes(posix.basename(path)))
  const beside = known.filter((each) => posix.dirname(each) === posix.dirname(path) && !each.endsWith('.test.ts'))
  return naming.length > 0 ? naming : beside
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

const run = (parameters: readonly string[]): boolean =>
  spawnSync('vitest', ['run', ...parameters], { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

if (import.meta.main) {
  const started = performance.now()
  const left = (): number => wholeMs - (performance.now() - started)
  const sources = new Map(
    globSync('{src,config,connectors,sandboxes,sample,jobs,scripts,test,client}/**/*.ts', { cwd: root })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.includes('node_modules'))
      .map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
  )
  const graph = importGraph([...sources].map(([path, source]) => ({ path, source })))
  const changed = changedFiles(process.argv[2])
  const likelihood = likelihoods([...new Set(changed.flatMap((path) => codeOf(path, sources)))], graph)
  const durations = lastDurations()
  let waiting: readonly TestFile[] = [...likelihood.keys()]
    .filter(isPicked)
    .map((path) => ({ path, ms: durations.get(path) ?? usualMs(path, statSync(new URL(path, root)).size) }))
  const reached = waiting.length

  let isGreen = run(['--project', 'unit'])
  // A machine that has other work to do shows it here already.
  let pace = Math.max(1, (performance.now() - started) / unitMs)
  for (const share of [firstShare, 1]) {
    const part = left() < partMsMin ? [] : choose(waiting, likelihood, (left() * share) / pace)
    if (!isGreen || part.length === 0) break
    const began = performance.now()
    isGreen = run(part.map(({ path }) => path))
    // A first part that was quick says little of the second: only so much more is asked of it.
    pace = Math.max(0.75, (performance.now() - began) / timeOf(part))
    waiting = waiting.filter((file) => !part.includes(file))
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `${changed.length} changed files: the unit tests and ${reached - waiting.length} of ${reached} test files that they reach, ${seconds} s`,
  )
  if (!isGreen) process.exitCode = 1
}
