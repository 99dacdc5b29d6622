/**
 * `npm run mutate`: changes the code in one small place at a time and reports which changes no test notices. It resumes
 * an earlier run, stops after `--minutes`, and writes only its results, under `.mutate/`.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importGraph } from '../../test/unit/house/import-graph.ts'
import { choose, sliceOf } from './choose.ts'
import { type Known, KnownTests } from './known-tests.ts'
import { applied, type Mutant, mutantsOf } from './mutation.ts'
import { nearestTests, ownersOf } from './nearest-tests.ts'
import { functionAt, hasFunctions, withCallsRecorded } from './reached.ts'
import { describe, keepResult, type Result, readResults, report } from './results.ts'
import { sqlMutations } from './sql-mutations.ts'
import { typescriptMutations } from './typescript-mutations.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kept = `${root}.mutate/results.ndjson`
/** The code that decides money, delivery and permissions, and that merges snapshots into registers. */
const folders = ['src/orders', 'src/deliver', 'src/access', 'src/ingest/merge', 'src/ingest/check/match']

/** The longest test file that is run for every mutant near it. */
const slowMs = 120_000
/** How many near test files are checked for reaching the change, for each that is run. */
const lookedAt = 2

const { values } = parseArgs({
  options: {
    dir: { type: 'string', multiple: true, default: folders },
    slice: { type: 'string', default: '1/1' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    /** The maximum of test files per mutant. */
    tests: { type: 'string', default: '6' },
    /** The maximum of their total time without the mutation; the quickest is always run. */
    seconds: { type: 'string', default: '40' },
    /** Runs survivors once more. */
    again: { type: 'boolean', default: false },
    /** Prints what would be run, or what was found, and runs nothing. */
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
})

const paths = globSync('{src,config,connectors,sandboxes,sample,jobs,scripts,test,client}/**/*.{ts,sql}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('node_modules'))
const read = (path: string): string => readFileSync(root + path, 'utf8')
const sources = new Map(paths.filter((path) => path.endsWith('.ts')).map((path) => [path, read(path)] as const))
const graph = importGraph([...sources].map(([path, source]) => ({ path, source })))

const isChanged = (path: string): boolean => values.dir.some((dir) => path.startsWith(dir))
const mutants = paths.filter(isChanged).flatMap((path) => {
  const source = sources.get(path) ?? read(path)
  return mutantsOf(path, source, path.endsWith('.sql') ? sqlMutations(source) : typescriptMutations(path, source))
})
const chosen = choose(mutants, { seed: values.seed, sample: Number(values.sample), ...sliceOf(values.slice) })
console.log(`${mutants.length} mutants in ${values.dir.join(', ')}; ${chosen.length} chosen`)

if (values.list) for (const mutant of chosen) console.log(describe(mutant))
else {
  if (!values.report) await tryAll()
  for (const line of report(chosen, readResults(kept))) console.log(line)
}

async function tryAll(): Promise<void> {
  const until = performance.now() + Number(values.minutes) * 60_000
  const known = readResults(kept)
  const left = chosen.filter(({ id }) => {
    const status = known.get(id)?.status
    return status === undefined || (values.again && (status === 'survived' || status === 'no tests'))
  })
  if (left.length === 0) return
  const telling = [...sources].filter(([path]) => path.startsWith('src/'))
  const workshop = await openWorkshop(
    root,
    new Map(telling.map(([path, source]) => [path, withCallsRecorded(path, source)])),
  )
  const knownTests = new KnownTests(`${root}.mutate/tests.ndjson`, codeDigest())
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void workshop.close().finally(() => process.exit(1))
    })
  try {
    for (const mutant of left) {
      if (performance.now() > until) break
      const result = await tryOne(workshop, mutant, knownTests)
      if (result === undefined) {
        console.log(`not known, the machine is too busy  ${describe(mutant)}`)
        continue
      }
      keepResult(kept, result)
      console.log(`${result.status} in ${(result.milliseconds / 1000).toFixed(1)} s  ${describe(mutant)}`)
    }
  } finally {
    await workshop.close()
  }
}

/**
 * Only tests that pass without the mutation and that call the mutated code are used; their usual duration sets the
 * timeout.
 */
async function tryOne(workshop: Workshop, mutant: Mutant, knownTests: KnownTests): Promise<Result | undefined> {
  const reaching: Known[] = []
  for (const test of nearestTests(mutant.path, sources, graph, lookedAt * Number(values.tests))) {
    const known = await knownTests.of(test, sources.get(test) ?? '', () => workshop.try([test], slowMs))
    if (known.outcome === 'green' && reaches(mutant, known.calls)) reaching.push(known)
    if (reaching.length === Number(values.tests)) break
  }
  // The quickest first: the first failure ends the run.
  const { tests, usualMs } = withinTime(reaching.toSorted((a, b) => a.milliseconds - b.milliseconds))
  const base = { id: mutant.id, tests }
  if (tests.length === 0) return { ...base, status: 'no tests', milliseconds: 0 }
  const text = applied(read(mutant.path), mutant)
  const limitMs = 20_000 + 2 * usualMs
  const { outcome, milliseconds, by } = await workshop.withFile(mutant.path, text, () => workshop.try(tests, limitMs))
  // On an overloaded machine tests fail by themselves: then nothing is known of the mutant.
  const isDoubtful = outcome === 'timeout' || (outcome === 'red' && /timed? ?out/i.test(by ?? ''))
  if (isDoubtful && (await workshop.try(tests, limitMs)).outcome !== 'green') return undefined
  const status = ({ green: 'survived', red: 'killed', timeout: 'timeout', 'no program': 'no program' } as const)[
    outcome
  ]
  return { ...base, status, milliseconds, ...(by === undefined ? {} : { by }) }
}

function withinTime(known: readonly Known[]): { readonly tests: string[]; readonly usualMs: number } {
  const tests: string[] = []
  let usualMs = 0
  for (const { test, milliseconds } of known) {
    if (tests.length > 0 && usualMs + milliseconds > Number(values.seconds) * 1000) break
    tests.push(test)
    usualMs += milliseconds
  }
  return { tests, usualMs }
}

/** Code outside every function, including a statement file, counts as reached by any function of its file. */
function reaches({ path, start }: Mutant, calls: readonly string[]): boolean {
  const source = sources.get(path)
  const called = source === undefined ? undefined : functionAt(path, source, start)
  if (called !== undefined) return calls.includes(called)
  const owners = ownersOf(path, sources).filter((owner) => hasFunctions(owner, sources.get(owner) ?? ''))
  return owners.length === 0 || calls.some((call) => owners.some((owner) => call.startsWith(`${owner}:`)))
}

/** A hash of the code and of everything that all tests share. */
function codeDigest(): string {
  const hash = createHash('sha256')
  for (const path of [...paths, ...globSync('migrations/**/*.sql', { cwd: root })].toSorted())
    if (!path.endsWith('.test.ts') && !path.startsWith('scripts/')) hash.update(`${path}\0${read(path)}\0`)
  return hash.digest('hex')
}
