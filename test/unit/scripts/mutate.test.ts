import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { choose, sliceOf } from '../../../scripts/mutate/choose.ts'
import { KnownTests } from '../../../scripts/mutate/known-tests.ts'
import { applied, type Mutation, mutantsOf } from '../../../scripts/mutate/mutation.ts'
import { nearestTests } from '../../../scripts/mutate/nearest-tests.ts'
import { callsName, functionAt, withCallsRecorded } from '../../../scripts/mutate/reached.ts'
import { keepResult, type Result, readResults, report } from '../../../scripts/mutate/results.ts'
import { sqlMutations } from '../../../scripts/mutate/sql-mutations.ts'
import { typescriptMutations } from '../../../scripts/mutate/typescript-mutations.ts'

const inTypescript = (source: string): string[] =>
  typescriptMutations('src/a.ts', source).map((mutation) => applied(source, mutation))
const inSql = (source: string): string[] => sqlMutations(source).map((mutation) => applied(source, mutation))

test('decisions are negated, boundaries moved by one, equalities and logic turned round', () => {
  expect(inTypescript('if (a < b) c = 1')).toEqual(['if (!(a < b)) c = 1', 'if (a <= b) c = 1'])
  expect(inTypescript('x = a && b >= c')).toEqual(['x = a || b >= c', 'x = a && b > c'])
  expect(inTypescript("x = a === 'paid'")).toEqual(["x = a !== 'paid'", "x = a === 'another text'"])
  expect(inTypescript('x = a ? 1 : 2')).toEqual(['x = !(a) ? 1 : 2'])
})

test('sums are turned round, texts that are put together are not', () => {
  expect(inTypescript('x = a + b * c')).toEqual(['x = a - b * c', 'x = a + b / c'])
  expect(inTypescript("x = 'a' + b")).toEqual([])
})

test('booleans and lists are changed where they are values, and left where they are types', () => {
  expect(inTypescript('const a: true = f([b], true)')).toEqual([
    'const a: true = f([], true)',
    'const a: true = f([b], false)',
  ])
  expect(inTypescript('interface A { readonly b: true }\ntype C = readonly [true]')).toEqual([])
})

test('calls that are made for their effect go, and functions return at once', () => {
  expect(inTypescript('async function f() {\n  await a()\n  b()\n}')).toEqual([
    'async function f() { return;\n  await a()\n  b()\n}',
    'async function f() {\n  ;\n  b()\n}',
    'async function f() {\n  await a()\n  ;\n}',
  ])
})

test('statements within the code are changed as statements, and what is put into them is not', () => {
  expect(inTypescript(`const q = sql\`SELECT FROM \${a} WHERE b > \${c}\``)).toEqual([
    `const q = sql\`SELECT FROM \${a} WHERE true\``,
    `const q = sql\`SELECT FROM \${a} WHERE b >= \${c}\``,
  ])
  expect(inTypescript('const q = `SELECT FROM a WHERE b`')).toEqual(['const q = `SELECT FROM a WHERE true`'])
  expect(inTypescript('const q = `whatever WHERE b`')).toEqual([])
})

test('each conjunct of a condition becomes true, whole, whatever is nested in it', () => {
  expect(inSql('SELECT FROM a WHERE b AND (c OR d) ORDER BY e')).toEqual([
    'SELECT FROM a WHERE true AND (c OR d) ORDER BY e',
    'SELECT FROM a WHERE b AND true ORDER BY e',
    'SELECT FROM a WHERE b OR (c OR d) ORDER BY e',
  ])
  expect(inSql('SELECT FROM a WHERE b BETWEEN 1 AND 2 AND c')).toEqual([
    'SELECT FROM a WHERE true AND c',
    'SELECT FROM a WHERE b BETWEEN 1 AND 2 AND true',
    'SELECT FROM a WHERE b BETWEEN 1 AND 2 OR c',
  ])
  expect(inSql('SELECT FROM a WHERE b IS DISTINCT FROM c')).toEqual(['SELECT FROM a WHERE true'])
})

test('comparisons turn round, assignments do not', () => {
  expect(inSql('UPDATE a SET b = 1, c = d + 1 WHERE e = 2')).toEqual([
    'UPDATE a SET b = 1, c = d - 1 WHERE e = 2',
    'UPDATE a SET b = 1, c = d + 1 WHERE true',
    'UPDATE a SET b = 1, c = d + 1 WHERE e <> 2',
  ])
})

test('conflicts and locks go unheeded', () => {
  expect(inSql('INSERT INTO a VALUES (1) ON CONFLICT (b) DO NOTHING RETURNING c')).toEqual([
    'INSERT INTO a VALUES (1)  RETURNING c',
  ])
  expect(inSql('SELECT FROM a FOR UPDATE OF a SKIP LOCKED')).toEqual(['SELECT FROM a '])
})

test('comments and quoted texts are no part of a statement', () => {
  expect(inSql("-- WHERE a AND b\nSELECT ' WHERE a = b '")).toEqual([])
})

const mutation: Mutation = { kind: 'turn a boolean', start: 4, end: 8, replacement: 'false' }
const mutantsIn = (count: number) =>
  Array.from({ length: count }, (_, index) => mutantsOf(`src/orders/f${index}.ts`, 'a = true', [mutation])).flat()

test('a choice is the same for a seed, and its slices share it out without remainder', () => {
  const mutants = mutantsIn(50)
  const whole = choose(mutants, { seed: '7', sample: 20, slice: 1, slices: 1 })
  expect(whole).toHaveLength(20)
  expect(choose(mutants.toReversed(), { seed: '7', sample: 20, slice: 1, slices: 1 })).toEqual(whole)
  expect(choose(mutants, { seed: '8', sample: 20, slice: 1, slices: 1 })).not.toEqual(whole)
  const sliced = [1, 2, 3].flatMap((slice) => choose(mutants, { seed: '7', sample: 20, slice, slices: 3 }))
  expect(new Set(sliced)).toEqual(new Set(whole))
  expect(sliced).toHaveLength(20)
  expect(sliceOf('3/20')).toEqual({ slice: 3, slices: 20 })
  for (const text of ['3', '0/2', '3/2', 'a/b']) expect(() => sliceOf(text)).toThrow('--slice')
})

test('a mutant is known again as long as its file is the same', () => {
  const [one] = mutantsOf('a.ts', 'a = true', [mutation])
  expect(mutantsOf('a.ts', 'a = true', [mutation])[0]?.id).toBe(one?.id)
  expect(mutantsOf('b.ts', 'a = true', [mutation])[0]?.id).not.toBe(one?.id)
  expect(mutantsOf('a.ts', 'a = true;', [mutation])[0]?.id).not.toBe(one?.id)
})

test('the tests that share words with a file come before those that merely reach it; those that do not reach it, never', () => {
  const sources = new Map([['src/orders/ledger.ts', "sqlFile('find.sql')"]])
  const graph = new Map([
    ['test/integration/deliver/far.test.ts', ['src/orders/ledger.ts']],
    ['test/integration/orders/ledger.test.ts', ['src/main.ts']],
    ['src/main.ts', ['src/orders/ledger.ts']],
    ['test/unit/orders/other.test.ts', []],
    ['test/story/cli.test.ts', ['src/main.ts']],
  ])
  const nearest = ['test/integration/orders/ledger.test.ts', 'test/integration/deliver/far.test.ts']
  expect(nearestTests('src/orders/ledger.ts', sources, graph, 5)).toEqual(nearest)
  expect(nearestTests('src/orders/find.sql', sources, graph, 1)).toEqual(nearest.slice(0, 1))
})

test('functions of every kind record their calls in their own lines, and return as before', () => {
  const source = [
    'const twice = (a) => a * 2',
    'const pair = (a) => ({ a, b: twice(a) })',
    'class Box { get() { return (() => pair(3))() } }',
    'function never() { return 1 }',
    'return new Box().get().b',
  ].join('\n')
  const told = withCallsRecorded('a.ts', `function run() {${source}}`)
  const calls = new Set<string>()
  Object.assign(globalThis, { [callsName]: calls })
  try {
    expect(told.split('\n')).toHaveLength(5)
    expect(new Function(`${told}; return run()`)()).toBe(6)
  } finally {
    Reflect.deleteProperty(globalThis, callsName)
  }
  const whole = `function run() {${source}}`
  const at = (text: string) => functionAt('a.ts', whole, whole.indexOf(text)) ?? 'outside'
  expect(['a * 2', '{ a, b', 'return (() =>', 'pair(3)', 'return new'].map((text) => calls.has(at(text)))).toEqual(
    Array(5).fill(true),
  )
  expect(calls.has(at('return 1'))).toBe(false)
  expect(functionAt('a.ts', 'const a = 1', 7)).toBeUndefined()
})

test('what is known of a test file holds until the file or the code is another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'panji-known-'))
  const path = join(folder, 'tests.ndjson')
  let trials = 0
  const trial = async () => {
    trials += 1
    return { outcome: 'green', milliseconds: 5, calls: ['a.ts:1'] } as const
  }
  try {
    const first = await new KnownTests(path, 'code').of('a.test.ts', 'text', trial)
    expect(await new KnownTests(path, 'code').of('a.test.ts', 'text', trial)).toEqual(first)
    expect(trials).toBe(1)
    await new KnownTests(path, 'code').of('a.test.ts', 'another text', trial)
    await new KnownTests(path, 'other code').of('a.test.ts', 'text', trial)
    expect(trials).toBe(3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('results are kept by line, the later one counts, and a broken line is passed over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'panji-results-'))
  const path = join(folder, 'results.ndjson')
  try {
    expect(readResults(path).size).toBe(0)
    writeFileSync(path, '{"id":"a","sta')
    keepResult(path, resultOf('b', 'survived'))
    keepResult(path, resultOf('b', 'killed'))
    expect([...readResults(path).values()]).toEqual([resultOf('b', 'killed')])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the report counts a timeout as killed by name, leaves out what was no program, and names each survivor', () => {
  const mutants = mutantsIn(5)
  const became = ['killed', 'timeout', 'survived', 'no program'] as const
  const results = new Map(
    became.map((status, index) => [mutants[index]?.id ?? '', resultOf(mutants[index]?.id ?? '', status)]),
  )
  expect(report(mutants, results)).toEqual([
    'all: 66.7 % of 3 (1 killed, 1 timed out, 1 survived; 1 not counted)',
    'src/orders: 66.7 % of 3 (1 killed, 1 timed out, 1 survived; 1 not counted)',
    'survived:',
    'src/orders/f2.ts:1 turn a boolean: true → false',
  ])
})

function resultOf(id: string, status: Result['status']): Result {
  return { id, status, tests: [], milliseconds: 1 }
}
