import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { looseSql } from './sql-text.ts'

const root = new URL('../../../', import.meta.url)
const folders = [
  ...['api', 'backup', 'db', 'ingest', 'leads', 'quotas', 'queue', 'registry', 'secrets', 'suppression', 'trail'].map(
    (name) => `src/${name}`,
  ),
  'jobs',
]
/** These write the language of the screener, whose words are those of SQL. */
const screenerLanguage = ['check', 'parser', 'print', 'token-reader'].map((name) => `src/registry/screener/${name}.ts`)
/** Source with places, written `@{…}` here. */
const written = (source: string) => source.replaceAll('@{', '${')

test('SQL is put together by its tag alone, and nothing is put between its quotes', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  const held = files.filter((path) => !screenerLanguage.includes(path))
  expect(held.length).toBeGreaterThan(100)
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
])('%s is fine', (source) => {
  expect(looseSql('src/db/x.ts', written(source))).toEqual([])
})
