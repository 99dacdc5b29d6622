import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { slowExpressions } from './linear-expressions.ts'

const root = new URL('../../../', import.meta.url)
const productFiles = ['client', 'config', 'connectors', 'jobs', 'sample', 'sandboxes', 'src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)

test('every regular expression of the product takes time in proportion to its text', { timeout: 240_000 }, () => {
  expect(productFiles.length).toBeGreaterThan(10)
  expect(productFiles.flatMap((path) => slowExpressions(path, readFileSync(new URL(path, root), 'utf8')))).toEqual([])
})

test.each([
  ['two repetitions that share a text', String.raw`text.replace(/\s*[\r\n]\s*/g, ' ')`],
  ['a search begun anew at every bracket', String.raw`text.replace(/\[[^\]]*\]/g, '')`],
  ['a repetition of a repetition', '/^(a+)+$/.test(text)'],
  ['three repetitions in a row', String.raw`const form = /^SELECT\s+([\w,\s]+?)\s+FROM/`],
  ['an end without a beginning', "text.replace(/0+$/, '')"],
  ['an expression of a schema', String.raw`z.string().regex(/^[^@]+@[^@]+\.[^@]+$/)`],
  ['an expression made of a text', 'new RegExp(text).test(other)'],
])('%s is caught', (_, source) => {
  expect(slowExpressions('src/x.ts', source)).toEqual([expect.stringMatching(/^src\/x\.ts:1 /)])
})

test('expressions that are linear pass', () => {
  const source = String.raw`[/^\d+$/, /(?<!0)0+$/, /\s+/g, /"[^"]*"/, /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/]`
  expect(slowExpressions('src/x.ts', source)).toEqual([])
})
