/**
 * The tests that `npm run test:quick` chooses from: how likely each notices a change, and how long it takes. What each
 * executed comes from the records of `npm run test:record`, its duration from vitest's cache.
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { z } from 'zod'
import { lengthyTests } from '../test/support/lengthy-tests.ts'
import { importGraph } from '../test/unit/house/import-graph.ts'
import { codeOf } from './changes.ts'
import { changesConcerned } from './executed/concerned.ts'
import { functionsAt } from './executed/functions.ts'
import { likelihoodsExecuted } from './executed/likelihood.ts'
import { readRecords } from './executed/records.ts'
import { importersOf, likelihoods, type TestFile, usualMs } from './quick-choice.ts'

const root = new URL('../', import.meta.url)

export function readSources(): ReadonlyMap<string, string> {
  const paths = globSync('{src,config,connectors,sandboxes,sample,jobs,scripts,test,client}/**/*.ts', { cwd: root })
  return new Map(
    paths
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.includes('node_modules'))
      .map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
  )
}

export interface Candidates {
  readonly files: readonly TestFile[]
  readonly likelihood: ReadonlyMap<string, number>
  /** The number of files without records, which are rated by imports instead. */
  readonly unrecorded: number
}

/** @param changed lines of files, as changes.ts returns them. */
export function candidatesOf(
  changed: ReadonlyMap<string, readonly number[]>,
  sources: ReadonlyMap<string, string>,
): Candidates {
  const { likelihood, recorded } = likelihoodsOf(changed, sources)
  const durations = lastDurations()
  const files = [...likelihood.keys()]
    .filter(isPicked)
    .map((path) => ({ path, ms: durations.get(path) ?? usualMs(path, statSync(new URL(path, root)).size) }))
  return { files, likelihood, unrecorded: files.filter(({ path }) => !recorded.has(path)).length }
}

/** Short unit tests are run anyway. */
const isPicked = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  (!path.startsWith('test/unit/') || lengthyTests.some((glob) => posix.matchesGlob(path, glob)))

/** Vitest's cache of results; an unknown format means another version, and then every duration is unknown. */
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
      for (const [path, { duration }] of Object.entries(files)) if (duration > 0) found.set(path, duration)
  }
  return found
}

/**
 * Tests by how likely they notice a change: by what each executed where that is recorded, otherwise by the imports
 * between it and the change.
 */
function likelihoodsOf(
  changed: ReadonlyMap<string, readonly number[]>,
  sources: ReadonlyMap<string, string>,
): { readonly likelihood: ReadonlyMap<string, number>; readonly recorded: ReadonlySet<string> } {
  const graph = importGraph([...sources].map(([path, source]) => ({ path, source })))
  const records = readRecords([...sources.keys()].filter((path) => path.endsWith('.test.ts')))
  const importers = importersOf(graph)
  const changes = [...changed].flatMap(([path, at]) => [
    ...codeOf(path, sources).map((code) => ({
      path: code,
      functions: code === path ? functionsAt(path, sources.get(path) ?? '', at) : new Set<string>(),
      isWhole: true,
    })),
    ...(sources.has(path) ? changesConcerned(path, at, sources, importers) : []),
  ])
  const whole = changes.filter(({ isWhole }) => isWhole).map(({ path }) => path)
  const byImports = [...likelihoods([...new Set(whole)], graph)]
  const likelihood = new Map([
    ...byImports.filter(([test]) => !records.has(test)),
    ...likelihoodsExecuted(changes, records, importers),
  ])
  return { likelihood, recorded: new Set(records.keys()) }
}
