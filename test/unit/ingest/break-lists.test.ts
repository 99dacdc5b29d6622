import { expect, test } from 'vitest'
import { breakLists } from '../../../src/ingest/conduct/break-lists.ts'

const names = Array.from({ length: 30 }, (_, n) => `column_${n}`)

test('a list longer than a line stands one item a line, and the statement is the same', () => {
  const statement = `SELECT ${names.join(', ')}\n  FROM (SELECT coalesce(a, b), 'x, y' AS text, ROW(${names.join(', ')}) AS row) t`
  const broken = breakLists(statement)
  expect(broken.split('\n').slice(0, 3)).toEqual(['SELECT column_0,', '  column_1,', '  column_2,'])
  expect(broken).toContain("\n    'x, y' AS text,\n    ROW(column_0,\n      column_1,")
  const words = (text: string) => text.split(/\s+/).join(' ')
  expect(words(broken)).toBe(words(statement))
})

test('a short list, and a line of one comma, stay as they are', () => {
  const text = `SELECT a, b FROM t\nWHERE ${'x'.repeat(130)}, y`
  expect(breakLists(text)).toBe(text)
})
