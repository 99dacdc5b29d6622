/** How `npm run test:quick` knows what a change concerns: which functions its lines lie in, and which tests called them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesInDiff } from '../../../scripts/changes.ts'
import { changesConcerned } from '../../../scripts/executed/concerned.ts'
import { functionsAt, functionsOf } from '../../../scripts/executed/functions.ts'
import { likelihoodsExecuted } from '../../../scripts/executed/likelihood.ts'

const source = `export const limit = 3
export function outer(values: number[]) {
  return values
    .map((value) => value + 1)
    .filter((value) => value > limit)
}
class Book {
  #pages = 0
  turn() {
    this.#pages += 1
  }
}
export default operation({
  handle: () => async (request) => {
    return request.body
  },
})
`

test('each function of a file has a name of its own, by what it is called and where it stands', () => {
  expect(functionsOf('a.ts', source).map(({ name }) => name)).toEqual([
    'outer',
    'outer.0',
    'outer.1',
    'Book.turn',
    'handle',
    'handle.0',
  ])
})

test('a line belongs to the innermost function around it, and to none at the level of the file', () => {
  const at = (...lines: number[]) => [...functionsAt('a.ts', source, lines)]
  expect(at(1)).toEqual([])
  expect(at(3, 10)).toEqual(['outer', 'Book.turn'])
  expect(at(15)).toEqual(['handle.0'])
  expect(at()).toEqual([])
})

test('changed lines have the numbers of the new file, and a deletion that of the line above it', () => {
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts',
    '@@ -3 +3,2 @@ export function a() {',
    '@@ -9,2 +10,0 @@',
    'diff --git a/docs/b.md b/docs/b.md',
    'new file mode 100644',
    '@@ -0,0 +1 @@',
  ]
  expect(linesInDiff(diff)).toEqual(
    new Map([
      ['src/a.ts', [3, 4, 10]],
      ['docs/b.md', [1]],
    ]),
  )
})

const records = new Map([
  ['test/integration/a/calls-it.test.ts', { 'src/a.ts': ['outer'], 'src/b.ts': ['other'] }],
  ['test/integration/b/loads-it.test.ts', { 'src/a.ts': ['elsewhere'], 'src/b.ts': ['other'] }],
  ['test/integration/c/nothing.test.ts', { 'src/b.ts': ['other'] }],
])
const ranked = (path: string, functions: readonly string[], importers = new Map<string, readonly string[]>()) =>
  [...likelihoodsExecuted([{ path, functions: new Set(functions), isWhole: true }], records, importers)]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => name)

test('a test that called the changed function comes before one that called another of its file, and no other is picked', () => {
  expect(ranked('src/a.ts', ['outer'])).toEqual([
    'test/integration/a/calls-it.test.ts',
    'test/integration/b/loads-it.test.ts',
  ])
})

test('a file without functions is noticed by those that execute what imports it, however far', () => {
  const importers = new Map([
    ['config/data.ts', ['config/index.ts']],
    ['config/index.ts', ['config/data.ts', 'src/a.ts']],
  ])
  expect(ranked('config/data.ts', [], importers).toSorted()).toEqual([
    'test/integration/a/calls-it.test.ts',
    'test/integration/b/loads-it.test.ts',
  ])
  expect(ranked('config/alone.ts', [], importers)).toEqual([])
})

test('a change outside all functions goes to the functions that mention what it declares, in other files, and to tests', () => {
  const sources = new Map([
    ['config/data.ts', 'export const other = 1\nexport const limits = {\n  free: 3,\n}\n'],
    [
      'src/read.ts',
      "import { limits } from '../config/data.ts'\nconst known = [limits]\nexport function read() {\n  return known\n}\n",
    ],
    ['src/else.ts', "import { other } from '../config/data.ts'\nexport const twice = () => other * 2\n"],
    ['test/a.test.ts', "import { limits } from '../config/data.ts'\n"],
  ])
  const importers = new Map([['config/data.ts', ['src/read.ts', 'src/else.ts', 'test/a.test.ts']]])
  expect(changesConcerned('config/data.ts', [3], sources, importers)).toEqual([
    { path: 'src/read.ts', functions: new Set(['read']), isWhole: false },
    { path: 'test/a.test.ts', functions: new Set(), isWhole: true },
  ])
})

test('a process that a recorded test starts leaves which functions it called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'panji-executed-'))
  const child = new URL('../../../scripts/executed/child.ts', import.meta.url).href
  const asked = new URL('../../../src/domain/gstin.ts', import.meta.url)
  const text = `const { gstinCheckDigit } = await import(${JSON.stringify(asked.href)}); gstinCheckDigit('30AAACM3025E1Z')`
  spawnSync(process.execPath, [`--import=${child}`, '--input-type=module', '--eval', text], {
    env: { ...process.env, PANJI_EXECUTED: folder },
  })
  const [file = ''] = readdirSync(folder)
  const called = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, readonly string[]>
  rmSync(folder, { recursive: true })
  const names = functionsOf('gstin.ts', readFileSync(asked, 'utf8'))
  const [{ end } = { end: 0 }] = names.filter(({ name }) => name === 'gstinCheckDigit')
  expect(called['src/domain/gstin.ts']?.filter((range) => range.endsWith(`-${end}`))).toHaveLength(1)
  expect(called['src/domain/gstin.ts']?.length).toBeLessThan(names.length)
})
