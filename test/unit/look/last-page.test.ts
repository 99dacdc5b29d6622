import { describe, expect, test } from 'vitest'
import { offsetRowsMax } from '../../../src/registry/paging/page-cursor.ts'
import { lastPageOf, registerReach } from '../../../web/src/look/last-page.ts'

describe('the pages of a list end', () => {
  test.each([
    ['at its last row', 51, 25, undefined, 3],
    ['at its last full page', 100_000, 50, undefined, 2_000],
    ['at the first, where it is empty', 0, 25, undefined, 1],
    ['at its last row, where all are reached', 10_000, 30, 10_000, 334],
    ['before the page that would reach too far', 10_001, 30, 10_000, 333],
  ])('%s', (_, total, limit, reach, last) => {
    expect(lastPageOf(total, limit, reach)).toBe(last)
  })

  test('of a register where the API refuses the next one', () => {
    expect(registerReach).toBe(offsetRowsMax)
  })
})
