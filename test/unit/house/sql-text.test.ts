import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { looseSql } from './sql-text.ts'

const root = new URL('../../../', import.meta.url)
/** What writes other languages: the screener's, whose words are those of SQL, and names of companies. */
const otherLanguages = [
  ...['parser', 'resolve', 'resolve-value', 'print', 'terms', 'token-reader'].map(
    (name) => `src/registry/screener/${name}.ts`,
  ),
  ...['amounts', 'claims', 'compose', 'days'].map((name) => `src/registry/phrases/${name}.ts`),
  'sample/names.ts',
]
/** Source with places, written `@{…}` here. */
const written = (source: string) => source.replaceAll('@{', '${')

test('SQL is put together by its tag alone, and nothing is put between its quotes', () => {
  const files = ['src', 'jobs', 'sample'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  const held = files.filter((path) => !otherLanguages.includes(path))
  expect(held.length).toBeGreaterThan(400)
  expect(held.flatMap((path) => looseSql(path, readFileSync(new URL(path, root), 'utf8')))).toEqual([])
})

test.each([
  ['const a = `SELECT @{columns} FROM t`', 'without the tag'],
  ['const a = sql`SELECT @{`lower(@{column})`}`', 'without the tag'],
  ['const a = raw`SELECT @{column} FROM t`', 'without the tag'],
  ["const a = sql`coalesce(x, '@{fallback}')`", 'between quotes'],
  ["const a = sql`-- it's a comment\nx = '%@{word}'`", 'between quotes'],
])('a planted %s is caught', (source, what) => {
  expect(looseSql('src/db/x.ts', written(source))).toEqual([expect.stringContaining(what)])
})

test.each([
  'const a = sql`SELECT @{columns} FROM t WHERE kind = @{literal(kind)}`',
  "const a = sql`-- it's @{name}\nSELECT 1`",
  'const a = `SELECT 1 FROM t`',
  'throw new Error(`nothing FROM @{place}`)',
  'const a = `@{greeting}, @{name}`',
  'const a = `@{count} order(s) wait`',
])('%s is fine', (source) => {
  expect(looseSql('src/db/x.ts', written(source))).toEqual([])
})
