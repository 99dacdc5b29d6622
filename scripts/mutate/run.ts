/**
 * `npm run mutate`: changes the code in one small place at a time and says which changes no test notices. Goes on where an
 * earlier run stood, ends after `--minutes`, and writes nothing but its results, under `.mutate/`.
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
import { keepResult, type Result, readResults, report, told } from './results.ts'
import { sqlMutations } from './sql-mutations.ts'
import { typescriptMutations } from './typescript-mutations.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kept = `${root}.mutate/results.ndjson`
/** Where money, delivery and who may see what are decided, and where a snapshot meets the register. */
const folders = ['src/orders', 'src/deliver', 'src/access', 'src/ingest/merge', 'src/ingest/check/match']

/** The longest that a test file may take to be asked about every mutant near it. */
const slowMs = 120_000
/** Of so many near ones, for each that is asked, it is looked whether they reach the change. */
const lookedAt = 2

const { values } = parseArgs({
  options: {
    dir: { type: 'string', multiple: true, default: folders },
    slice: { type: 'string', default: '1/1' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    /** Test files per mutant, at most. */
    tests: { type: 'string', default: '6' },
    /** What these may take together without the change; the quickest is asked however long it takes. */
    seconds: { type: 'string', default: '40' },
    /** Tries survivors once more. */
    again: { type: 'boolean', default: false },
    /** Says what would be tried, or what was found, and tries nothing. */
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

if (values.list) for (const mutant of chosen) console.log(told(mutant))
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
        console.log(`not known, the machine is too busy  ${told(mutant)}`)
        continue
      }
      keepResult(kept, result)
      console.log(`${result.status} in ${(result.milliseconds / 1000).toFixed(1)} s  ${told(mutant)}`)
    }
  } finally {
    await workshop.close()
  }
}

/**
 * Only tests that are green without the change can say anything of it, and only those that call what is changed; how long
 * they then take bounds its time.
 */
async function tryOne(workshop: Workshop, mutant: Mutant, knownTests: KnownTests): Promise<Result | undefined> {
  const reaching: Known[] = []
  for (const test of nearestTests(mutant.path, sources, graph, lookedAt * Number(values.tests))) {
    const known = await knownTests.of(test, sources.get(test) ?? '', () => workshop.try([test], slowMs))
    if (known.outcome === 'green' && reaches(mutant, known.calls)) reaching.push(known)
    if (reaching.length === Number(values.tests)) break
  }
  // The quickest first: the first that is red ends it.
  const { tests, usualMs } = withinTime(reaching.toSorted((a, b) => a.milliseconds - b.milliseconds))
  const base = { id: mutant.id, tests }
  if (tests.length === 0) return { ...base, status: 'no tests', milliseconds: 0 }
  const text = applied(read(mutant.path), mutant)
  const limitMs = 20_000 + 2 * usualMs
  const { outcome, milliseconds, by } = await workshop.withFile(mutant.path, text, () => workshop.try(tests, limitMs))
  // A machine that is too busy makes tests late and red of itself: then nothing is known of the change.
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

/** What stands outside every function, a statement in a file of its own too, is reached where any function of its file is. */
function reaches({ path, start }: Mutant, calls: readonly string[]): boolean {
  const source = sources.get(path)
  const called = source === undefined ? undefined : functionAt(path, source, start)
  if (called !== undefined) return calls.includes(called)
  const owners = ownersOf(path, sources).filter((owner) => hasFunctions(owner, sources.get(owner) ?? ''))
  return owners.length === 0 || calls.some((call) => owners.some((owner) => call.startsWith(`${owner}:`)))
}

/** Of the code and what all tests share: whatever it does not tell apart, tests do not either. */
function codeDigest(): string {
  const hash = createHash('sha256')
  for (const path of [...paths, ...globSync('migrations/**/*.sql', { cwd: root })].toSorted())
    if (!path.endsWith('.test.ts') && !path.startsWith('scripts/')) hash.update(`${path}\0${read(path)}\0`)
  return hash.digest('hex')
}
