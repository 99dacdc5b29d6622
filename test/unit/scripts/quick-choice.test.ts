/** What `npm run test:quick` runs after a change: the likeliest to break, and no more than its time holds. */
import { expect, test } from 'vitest'
import { codeOf } from '../../../scripts/changes.ts'
import { choose, likelihoods, timeOf, usualMs } from '../../../scripts/quick-choice.ts'

const graph = new Map([
  ['src/orders/ledger.ts', ['src/db/sql.ts']],
  ['src/orders/place-order.ts', ['src/orders/ledger.ts']],
  ['src/api/operations/orders/create.ts', ['src/orders/place-order.ts']],
  ['test/integration/orders/ledger.test.ts', ['src/orders/ledger.ts']],
  ['test/integration/orders/place-order.test.ts', ['src/orders/place-order.ts']],
  ['test/integration/api/order-routes.test.ts', ['src/api/operations/orders/create.ts']],
  ['test/integration/leads/leads.test.ts', ['src/leads/build.ts']],
])
const ranked = (changed: readonly string[]) =>
  [...likelihoods(changed, graph)].toSorted(([, a], [, b]) => b - a).map(([path]) => path)

test('the test of a changed file comes first, and the farther the imports lead, the later the others', () => {
  expect(ranked(['src/orders/ledger.ts'])).toEqual([
    'test/integration/orders/ledger.test.ts',
    'test/integration/orders/place-order.test.ts',
    'test/integration/api/order-routes.test.ts',
  ])
})

test('a test that is changed itself is the likeliest, and what reaches none of the change is none', () => {
  const changed = ['test/integration/api/order-routes.test.ts', 'src/orders/ledger.ts']
  expect(ranked(changed)[0]).toBe('test/integration/api/order-routes.test.ts')
  expect(ranked(changed)).not.toContain('test/integration/leads/leads.test.ts')
})

test('after a wide change the files that reach most of it come first, and all of them fit into the time', () => {
  const parts = Array.from({ length: 40 }, (_, index) => `src/wing${index}/part.ts`)
  const tests = parts.map((part, index) => [`test/integration/wing${index}/some.test.ts`, [part]] as const)
  const wide = new Map<string, readonly string[]>([...tests, ['test/integration/all/all.test.ts', parts]])
  const likelihood = likelihoods(parts, wide)
  const files = [...wide.keys()].map((path) => ({ path, ms: 10_000 }))
  const chosen = choose(files, likelihood, 100_000)
  expect(chosen[0]?.path).toBe('test/integration/all/all.test.ts')
  expect(chosen).toHaveLength(9)
  expect(timeOf(chosen)).toBeLessThanOrEqual(100_000)
  expect(choose(files, likelihood, 4_000)).toEqual([])
})

test('of files that are about as likely the shortest are taken, and one that does not fit keeps no other out', () => {
  const near = { path: 'test/integration/a/near.test.ts', ms: 90_000 }
  const short = { path: 'test/integration/a/short.test.ts', ms: 2_000 }
  const far = { path: 'test/integration/a/far.test.ts', ms: 3_000 }
  const likelihood = new Map([
    [near.path, 0.55],
    [short.path, 0.5],
    [far.path, 0.1],
  ])
  expect(choose([near, far, short], likelihood, 200_000)).toEqual([short, near, far])
  expect(choose([near, far, short], likelihood, 60_000)).toEqual([short, far])
})

test('a suite is counted with what it starts, once, and a file that has not run here by its size', () => {
  const [one, two] = ['one', 'two'].map((name) => ({ path: `test/story/${name}.test.ts`, ms: 10_000 }))
  if (!one || !two) throw new Error('two files')
  expect(timeOf([one, two]) - timeOf([one])).toBe(10_000)
  expect(timeOf([one])).toBeGreaterThan(30_000)
  expect(usualMs('test/story/one.test.ts', 10_000)).toBeGreaterThan(usualMs('test/integration/a/one.test.ts', 10_000))
  expect(usualMs('test/integration/a/one.test.ts', 20_000)).toBeGreaterThan(
    usualMs('test/integration/a/one.test.ts', 1_000),
  )
})

test('a file that is no code belongs to the code that names it or is in its folder; pages of the console to their tests', () => {
  const sources = new Map([
    ['src/orders/ledger.ts', "sqlFile(import.meta.url, 'move-credits.sql')"],
    ['src/orders/order.ts', ''],
    ['test/console/pages.test.ts', ''],
    ['src/db/migrate.ts', ''],
  ])
  expect(codeOf('src/orders/order.ts', sources)).toEqual(['src/orders/order.ts'])
  expect(codeOf('src/orders/move-credits.sql', sources)).toEqual(['src/orders/ledger.ts'])
  expect(codeOf('src/orders/unnamed.sql', sources)).toEqual(['src/orders/ledger.ts', 'src/orders/order.ts'])
  expect(codeOf('web/src/app/page.tsx', sources)).toEqual(['test/console/pages.test.ts'])
  expect(codeOf('migrations/0067_what.sql', sources)).toEqual(['src/db/migrate.ts'])
})
