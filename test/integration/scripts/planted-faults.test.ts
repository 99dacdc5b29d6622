/**
 * What `npm run test:quick` picks finds faults, one in each of ten files. Each is planted in a copy of the checkout, and the tests
 * picked for its line run there until one is red, which is green without it. Needs the records of `npm run test:record`.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { copyOf } from '../../../scripts/mutate/workshop.ts'
import { candidatesOf, readSources } from '../../../scripts/quick-candidates.ts'
import { choose } from '../../../scripts/quick-choice.ts'
import { figure } from '../../support/figures.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** What is left of three minutes beside the unit tests. */
const budgetMs = 140_000

const faults: readonly (readonly [path: string, before: string, after: string])[] = [
  ['src/orders/owned-items.ts', 'rows.map(({ place }) => place - 1)', 'rows.map(({ place }) => place)'],
  ['src/standing/budget.ts', 'each.credits < least.credits', 'each.credits > least.credits'],
  ['src/deliver/lease/breaker.ts', '? waits.standing : waits.passing', '? waits.passing : waits.standing'],
  ['src/access/entitlements.ts', 'rows.filter(({ endedAt }) => endedAt === null)', 'rows'],
  ['src/registry/screener/withhold.ts', "< from) ? 'some' : 'only'", "< from) ? 'only' : 'some'"],
  ['connectors/hubspot/upsert.ts', 'met, stoppedBy: result.error }', 'met, stoppedBy: null }'],
  ['src/ingest/merge/undo.ts', 'closed: back?.closed ?? 0', 'closed: back?.rows ?? 0'],
  ['src/queue/dead-letters.ts', '(id) => !waiting.includes(id)', '(id) => waiting.includes(id)'],
  ['src/api/hooks/etag.ts', "if (holds(request.headers['if-none-match'], tag))", 'if (false)'],
  ['config/plans.ts', 'free: { search: 100,', 'free: { search: 1000,'],
]

const Report = z.object({
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})
let folder = ''
let copy = ''

/** @returns the files with a red test, of which the first ends the run: files that it kept from running have none. */
function redOf(tests: readonly string[]): string[] {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const alone = { VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '', VITEST_MODE: '', PANJI_TESTS: '' }
  const { status, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--reporter', 'json', '--outputFile', report, ...tests],
    {
      cwd: copy,
      env: { ...process.env, ...alone, PANJI_SHARED_DIR: process.env['PANJI_SHARED_DIR'] ?? join(root, '../shared') },
      encoding: 'utf8',
    },
  )
  if (!existsSync(report)) throw new Error(`no report of ${tests.join(', ')}: ${stderr}`)
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  const isRed = ({ assertionResults }: (typeof testResults)[number]) =>
    assertionResults.some(({ status }) => status === 'failed')
  const red = testResults.filter(isRed).map(({ name }) => relative(copy, name))
  if (status !== 0 && red.length === 0) throw new Error(`${tests.join(', ')} did not run: ${stderr}`)
  return red
}

/** @returns the files that are red with the fault, and green without it. */
function firstRed(
  tests: readonly string[],
  { path, faulty }: { readonly path: string; readonly faulty: string },
): readonly string[] {
  writeFileSync(join(copy, path), faulty)
  const red = redOf(tests)
  copyFileSync(join(root, path), join(copy, path))
  if (red.length === 0) return []
  const redAnyhow = new Set(redOf(red))
  const found = red.filter((each) => !redAnyhow.has(each))
  const left = tests.filter((each) => !red.includes(each))
  return found.length > 0 || left.length === 0 ? found : firstRed(left, { path, faulty })
}

describe.skipIf(figure(0, 1) === 0)('a planted fault', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'panji-planted-'))
    copy = copyOf(root, folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(faults)(
    'in %s is found by the tests that are picked for it',
    { timeout: 1_200_000 },
    (path, before, after) => {
      const source = readFileSync(join(root, path), 'utf8')
      expect(source.split(before)).toHaveLength(2)
      const line = source.slice(0, source.indexOf(before)).split('\n').length
      const { files, likelihood } = candidatesOf(new Map([[path, [line]]]), readSources())
      const picked = choose(files, likelihood, budgetMs).map((file) => file.path)
      const red = firstRed(picked, { path, faulty: source.replace(before, () => after) })
      expect(red, `of ${picked.length}`).not.toEqual([])
      console.log(`${path}: ${red.join(', ')}, of ${picked.length} picked`)
    },
  )
})
