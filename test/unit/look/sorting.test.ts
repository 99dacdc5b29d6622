/** Heads of a table that sort: what a press asks for, and the order of the rows. */
import { expect, test } from 'vitest'
import { nextOrder, orderOf, parameterOf, type Sorting, sorted, sortNameOf } from '../../../web/src/look/sorting.ts'

interface Row {
  readonly name: string | null
  readonly amount: number | null
}

const name: Sorting<Row> = { head: 'Name of it', by: ({ name }) => name }
const amount: Sorting<Row> = { head: 'Amount', by: ({ amount }) => amount }
const columns = [name, amount, { head: 'Change' }]

const row = (name: string | null, amount: number | null): Row => ({ name, amount })
const rows = [row('import 10', 9), row(null, 2), row('Import 9', null), row('ábc', 10)]
const after = (text: string) => sorted(rows, columns, orderOf(text)).map(({ name, amount }) => [name, amount])

test('a head sorts up, then down, and then leaves the rows as they came', () => {
  const first = nextOrder('amount', undefined)
  const second = nextOrder('amount', orderOf(first))
  const third = nextOrder('amount', orderOf(second))
  expect([first, second, third]).toEqual(['amount', 'amount-', ''])
  expect(nextOrder('amount', orderOf('name-of-it-'))).toBe('amount')
})

test('words are sorted as people read them and numbers by their size, and what is not known comes last both ways', () => {
  expect(after('name-of-it')).toEqual([
    ['ábc', 10],
    ['Import 9', null],
    ['import 10', 9],
    [null, 2],
  ])
  expect(after('amount').map(([, each]) => each)).toEqual([2, 9, 10, null])
  expect(after('amount-').map(([, each]) => each)).toEqual([10, 9, 2, null])
})

test('an address that names no head that sorts leaves the rows as they came', () => {
  for (const text of ['', 'change', 'nothing-', '-']) expect(sorted(rows, columns, orderOf(text))).toBe(rows)
})

test('each list has a parameter of its own, but one that its operation sorts, whose heads the operation names', () => {
  expect(parameterOf('API keys', columns)).toBe('sort-api-keys')
  const asked: Sorting<Row> = { head: 'Amount', sortedAs: 'paidUpCapital' }
  expect(parameterOf('Records that were found', [name, asked])).toBe('sort')
  expect([name, asked, ...columns.slice(2)].map(sortNameOf)).toEqual(['name-of-it', 'paidUpCapital', undefined])
})
