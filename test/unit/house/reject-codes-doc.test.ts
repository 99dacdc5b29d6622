import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rejectCodes } from '../../../src/ingest/run/reject-codes.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

test('docs/operations.md lists every reject code with its meaning, and no other', () => {
  const [, section = ''] = read('docs/operations.md').split('## When rows are rejected\n')
  const [rows = ''] = section.split('\n## ')
  const listed = [...rows.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(listed).toEqual(Object.entries(rejectCodes))
})

test('every code that a statement writes into a reject is in the list', () => {
  const files = readdirSync(new URL('src/ingest', root), { recursive: true, encoding: 'utf8' })
  const written = files
    .filter((file) => /\.(ts|sql)$/.test(file))
    .flatMap((file) => [...read(`src/ingest/${file}`).matchAll(/fault = '(\w+)'/g)].map(([, code]) => code))
  expect(written).toContain('duplicate_in_file')
  for (const code of written) expect(Object.keys(rejectCodes)).toContain(code)
})

test('every reject code is expected by a test of ingest', () => {
  const folders = ['test/integration/ingest', 'test/faults']
  const texts = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => read(`${folder}/${file}`)),
  )
  const untested = Object.keys(rejectCodes).filter((code) => !texts.some((text) => text.includes(code)))
  expect(untested).toEqual([])
})
