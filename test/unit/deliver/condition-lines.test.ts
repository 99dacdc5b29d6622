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

test.each([
  { column: 'industry', is: ['Growing of rice, not elsewhere classified', 'Fishing'], value: { constant: 'Asha' } },
  { column: 'Address', is: ['Unit 5: the mill', '', '"Lotus" Tower'], value: { constant: 'Rao, Ravi' } },
  { column: 'State', is: ['Goa'], value: { round_robin: ['Rao, Ravi', 'Sharma, Asha', 'C:\\{leads}'] } },
  { column: 'State', is: ['Goa'], value: { constant: '{City}' } },
  { column: 'State', is: ['Goa'], value: { constant: 'nothing' } },
  { column: 'State', is: ['Goa'], value: { constant: 'two\nlines' } },
  { column: 'State', is: ['Goa'], value: { constant: 'https://crm.example/"west"' } },
  { column: 'State', is: ['Goa'], value: { template: 'Ask "{City}", {State}: please' } },
])('what a program set is read back as it was, whatever it holds: %j', (condition) => {
  const conditions = MappedValue.parse({ conditions: [condition], otherwise: condition.value })
  expect(conditionsIn(linesOf(conditions))).toEqual(conditions)
})

test('amounts are read as Indians write them', () => {
  const read = conditionsIn('paidUpCapital from 10,00,000: Big\npaidUpCapital from 2.5 lakh below 1 crore: Middling')
  expect(MappedValue.parse(read)).toEqual({
    conditions: [
      { column: 'paidUpCapital', at_least: 1_000_000, value: { constant: 'Big' } },
      { column: 'paidUpCapital', at_least: 250_000, below: 10_000_000, value: { constant: 'Middling' } },
    ],
  })
})

test.each([
  [
    'State is Goa, Kerala asha@example.com',
    '“State is Goa, Kerala asha@example.com” has no value. Write one after a colon.',
  ],
  ['State is Goa:', '“State is Goa:” has no value. Write one after a colon.'],
  ['otherwise:', '“otherwise:” has no value. Write one after a colon.'],
  ['State Goa: Asha', '“State Goa” is not a condition. Write a column with “is”, “from” or “below”.'],
  [
    'paidUpCapital from ten lakh: Big',
    '“paidUpCapital from ten lakh” is not a condition. Write a column with “is”, “from” or “below”.',
  ],
])('a line that says no condition or no value is told instead of kept: %s', (line, told) => {
  expect(() => conditionsIn(`State is Kerala: Asha\n${line}`)).toThrow(told)
})
