/** What is pressed on the panel of filters, the query that it makes, and the panel that the query opens again: one and the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { facets } from '../../../config/facets.ts'
import { type ScreenerType, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'
import { termsOf } from '../../../src/registry/screener/terms.ts'
import {
  between,
  bounded,
  queryOf,
  quoted,
  type Terms,
  tickedIn,
  toggled,
} from '../../../web/src/app/search/filters/terms.ts'

/** As the page is told of a query by the API. */
const opened = (type: ScreenerType, query: string): Terms =>
  query === '' ? [] : termsOf(type, readQuery(type, query).node).map((term) => ({ ...term, values: [...term.values] }))
const textsOf = (terms: Terms) => terms.map(({ text }) => text)

type Press = (terms: Terms) => Terms
const word = fc.oneof(
  fc.constantFrom("D'Souza", 'North Goa', 'रायगड', 'a, b'),
  fc.string({ minLength: 1, maxLength: 8 }),
)
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  State: ['Goa', 'Kerala', 'Tamil Nadu'],
  state: ['Goa', 'Kerala', 'Tamil Nadu'],
  llpStatus: ['Active', 'Struck Off'],
  Status: ['Active', 'Cancelled'],
  companyType: ['Company', 'LLP'],
  classOfCompany: ['Private', 'Public'],
  TaxpayerType: ['Regular', 'Composition'],
  ConstitutionBusiness: ['Partnership', 'Proprietorship'],
}

const ticks = (field: string): fc.Arbitrary<Press> => {
  const known = valuesOf[field]
  const value = known ? fc.constantFrom(...known) : word.filter((text) => text.trim() !== '' && !text.includes('\0'))
  return fc.option(value, { freq: 5 }).map((ticked) => (terms) => toggled(terms, field, ticked))
}
const sets = (field: string, conditions: readonly string[]): fc.Arbitrary<Press> => {
  const bound = fc.integer({ min: 0, max: 99 })
  const typed = fc.tuple(fc.option(bound), fc.option(bound)).map(([from, to]) => {
    const [low, high] = [from, to].map((each) =>
      each === null ? '' : `${field === 'paidUpCapital' ? `${each} lakh` : each}`,
    )
    return from !== null && to !== null && from > to ? undefined : between(field, low ?? '', high ?? '')
  })
  const isNumber = field === 'paidUpCapital' || field === 'boardSize'
  const pressed = fc.constantFrom(undefined, ...conditions.map((condition) => `${field} ${condition}`.trim()))
  const days = fc.constantFrom(
    between(field, quoted('2024-04-01'), quoted('2025-03-31')),
    between(field, '', quoted('2025-03-31')),
  )
  const isDay = field.startsWith('date') || field.startsWith('Date')
  return fc
    .oneof(pressed, ...(isNumber ? [typed] : []), ...(isDay ? [days] : []))
    .map((condition) => (terms) => bounded(terms, field, condition))
}

const pressesOf = (type: ScreenerType) =>
  fc.array(
    fc.oneof(
      ...facets[type].values.map(ticks),
      ...Object.entries(facets[type].bounds).map(([field, conditions]) => sets(field, conditions)),
    ),
    { maxLength: 12 },
  )

test.each(screenerTypes)('of %s: whatever is pressed, the query that it makes opens the same panel', (type) => {
  fc.assert(
    fc.property(pressesOf(type), (presses) => {
      let panel: Terms = []
      for (const press of presses) {
        const query = queryOf(press(panel))
        panel = opened(type, query)
        expect(textsOf(opened(type, queryOf(panel)))).toEqual(textsOf(panel))
        expect(readQuery(type, queryOf(panel) || 'has_mobile').condition).toBe(
          readQuery(type, query || 'has_mobile').condition,
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('a value is ticked in addition to others, and unticked again', () => {
  const press = (terms: Terms, value: string | null) => opened('company', queryOf(toggled(terms, 'State', value)))
  const goa = press(opened('company', 'has_mobile'), 'Goa')
  const both = press(goa, 'Kerala')
  expect(queryOf(both)).toBe("has_mobile AND State IN ['Goa', 'Kerala']")
  expect(tickedIn(both, 'State')).toEqual(['Goa', 'Kerala'])
  expect(queryOf(press(both, 'Goa'))).toBe("has_mobile AND State == 'Kerala'")
  expect(queryOf(press(both, null))).toBe('has_mobile AND State IS NULL')
  expect(queryOf(press(press(both, null), 'Goa'))).toBe("has_mobile AND State == 'Goa'")
  expect(queryOf(press(goa, 'Goa'))).toBe('has_mobile')
})

test('conditions written in the query language are kept when filters are clicked', () => {
  const written = opened('company', "(State == 'Goa' OR has_mobile) AND City != 'Panaji' AND State != 'Kerala'")
  const pressed = bounded(toggled(written, 'State', 'Goa'), 'paidUpCapital', 'paidUpCapital >= 10 lakh')
  expect(queryOf(pressed)).toBe(
    "(State == 'Goa' OR has_mobile) AND City != 'Panaji' AND State != 'Kerala' AND State == 'Goa' AND paidUpCapital >= 10 lakh",
  )
})
