/** Conditions of a mapping as people write them in lines, and back. */
import { expect, test } from 'vitest'
import { MappedValue } from '../../../src/deliver/destinations/mapped-value.ts'

/** Pages have types of their own, so the file is loaded by its address. */
const page = new URL('../../../web/src/app/deliver/mapping/conditions.ts', import.meta.url).href
const { conditionsIn, linesOf } = (await import(page)) as {
  conditionsIn(text: string): unknown
  linesOf(conditions: unknown): string
}

const lines = [
  'State is Goa, Kerala: asha@example.com',
  'paidUpCapital from 1000000: ravi@example.com, meera@example.com',
  'paidUpCapital from 1000 below 5000: nothing',
  'GSTStates is : Ask {City}',
  'otherwise: {District}',
].join('\n')

test('lines become conditions that the API takes, and are read back as they were written', () => {
  const read = conditionsIn(lines)
  expect(MappedValue.parse(read)).toEqual({
    conditions: [
      { column: 'State', is: ['Goa', 'Kerala'], value: { constant: 'asha@example.com' } },
      {
        ...{ column: 'paidUpCapital', at_least: 1_000_000 },
        value: { round_robin: ['ravi@example.com', 'meera@example.com'] },
      },
      { column: 'paidUpCapital', at_least: 1_000, below: 5_000, value: { omit: true } },
      { column: 'GSTStates', is: [''], value: { template: 'Ask {City}' } },
    ],
    otherwise: { column: 'District' },
  })
  expect(linesOf(read)).toBe(lines)
})
