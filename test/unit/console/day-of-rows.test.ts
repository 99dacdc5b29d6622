import { expect, test } from 'vitest'
import { dayOfRows } from '../../../web/src/console/rejects/day-of-rows.ts'

type Found = Parameters<typeof dayOfRows>[0]
const run = (run_id: number, as_of: string, more: Partial<Found> = {}): Found => ({
  ...{ run_id, as_of, status: 'no_op', sha256: 'a', scopes: ['ROC Goa'] },
  ...more,
})
const imported = run(7, '2025-10-01', { status: 'succeeded' })

test('rejected rows have the day of their import, or the last on which its file was found again', () => {
  expect(dayOfRows(imported, [])).toBe('2025-10-01')
  expect(dayOfRows(imported, [imported])).toBe('2025-10-01')
  expect(dayOfRows(imported, [run(9, '2025-10-03'), run(8, '2025-10-02'), imported])).toBe('2025-10-03')
})

test('another file, one that was left out, and what came before say nothing about the day of rejected rows', () => {
  const others = [
    run(11, '2025-10-05', { sha256: 'b' }),
    run(10, '2025-10-04', { scopes: null }),
    run(9, '2025-10-03', { status: 'failed' }),
    run(6, '2025-10-02'),
    run(8, '2025-09-30'),
  ]
  expect(dayOfRows(imported, others)).toBe('2025-10-01')
})
