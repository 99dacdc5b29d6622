import { expect, test } from 'vitest'
import { RecordTable } from '../../../sandboxes/records.ts'

interface Row {
  readonly id: string
  readonly object: string
  key: string
}

function tableOf(rows: number): { readonly table: RecordTable<Row>; readonly asked: () => number } {
  let asked = 0
  const table = new RecordTable<Row>((record) => {
    asked += 1
    return record.key
  })
  table.find('Lead', 'key', 'none')
  for (let n = 0; n < rows; n += 1) table.put({ id: `id-${n}`, object: 'Lead', key: `key-${n}` })
  return { table, asked: () => asked }
}

test('a row costs the same in a sandbox of a hundred thousand records as in an empty one', () => {
  const { table, asked } = tableOf(100_000)
  const before = asked()
  expect(table.find('Lead', 'key', 'key-99999').map(({ id }) => id)).toEqual(['id-99999'])
  table.put({ id: 'id-7', object: 'Lead', key: 'other' })
  expect(table.find('Lead', 'key', 'key-7')).toEqual([])
  expect(asked() - before).toBe(1)
})

test('records are found by what they hold now, also when they were changed in place or deleted', () => {
  const { table } = tableOf(3)
  const record = table.get('id-1')
  if (!record) throw new Error('the record is gone')
  record.key = 'changed'
  table.put(record)
  expect(table.find('Lead', 'key', 'key-1')).toEqual([])
  expect(table.find('Lead', 'key', 'changed')).toEqual([record])
  expect(table.find('Contact', 'key', 'changed')).toEqual([])
  expect(table.delete('id-1')).toBe(true)
  expect(table.delete('id-1')).toBe(false)
  expect(table.find('Lead', 'key', 'changed')).toEqual([])
  expect(table.all().map(({ id }) => id)).toEqual(['id-0', 'id-2'])
})
