/** A query as filters, and filters as a query: both say the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Node } from '../../../src/registry/screener/ast.ts'
import { type ScreenerType, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { printQuery } from '../../../src/registry/screener/print.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'
import { termsOf } from '../../../src/registry/screener/terms.ts'
import { queryOf } from '../../../web/src/app/search/filters/terms.ts'
import { conditionOver, treesOf } from '../../support/screener-arbitrary.ts'

const today = '2026-11-26'
const read = (query: string, type: ScreenerType = 'company') => readQuery(type, query, null, today)
const asked = (query: string, type?: ScreenerType) => {
  const { condition, values } = read(query, type)
  return { condition, values }
}
const termsIn = (query: string, type: ScreenerType = 'company') => termsOf(type, read(query, type).node)

const asFilters: readonly (readonly [string, readonly string[]])[] = [
  ["State=='Goa'", ["State == 'Goa'"]],
  ["State IN ['goa', 'KERALA']", ["State IN ['Goa', 'Kerala']"]],
  ["State NOT IN ['Goa']", ["State NOT IN ['Goa']"]],
  ["State == 'Goa' AND paidUpCapital > 1000000", ["State == 'Goa'", 'paidUpCapital > 10 lakh']],
  ["State == 'Goa' AND (City == 'Mapusa' AND has_mobile)", ["State == 'Goa'", "City == 'Mapusa'", 'has_mobile']],
  ['has_email == false', ['NOT has_email']],
  ['NOT has_email', ['NOT has_email']],
  ['NOT (has_email != true)', ['has_email']],
  ['paidUpCapital BETWEEN 150000 AND 12500000', ['paidUpCapital BETWEEN 1.5 lakh AND 1.25 crore']],
  ['paidUpCapital >= 99999 AND paidUpCapital < 123456', ['paidUpCapital >= 99999', 'paidUpCapital < 123456']],
  ['paidUpCapital == 12345000', ['paidUpCapital == 12345000']],
  ['dateOfIncorporation IN this month', ['dateOfIncorporation IN this month']],
  ['dateOfIncorporation == this month', ['dateOfIncorporation IN this month']],
  ['dateOfIncorporation since 1 April', ['dateOfIncorporation >= 1 April']],
  ['dateOfIncorporation > last 7 days', ['dateOfIncorporation > last 7 days']],
  ['dateOfIncorporation == today', ['dateOfIncorporation == today']],
  [
    "dateOfIncorporation BETWEEN '2026-01-01' AND yesterday",
    ["dateOfIncorporation BETWEEN '2026-01-01' AND yesterday"],
  ],
  ['dateOfIncorporation BETWEEN January AND March', ['dateOfIncorporation BETWEEN January AND March']],
  ["company CONTAINS 'D''Souza'", ["company CONTAINS 'D''Souza'"]],
  ['NICDesc IS NOT NULL AND City IS NULL', ['NICDesc IS NOT NULL', 'City IS NULL']],
]

test.each(asFilters)('%s is a list of filters', (query, texts) => {
  expect(termsIn(query).map(({ text }) => text)).toEqual(texts)
  expect(asked(queryOf(termsIn(query)))).toEqual(asked(query))
})

test.each([
  ["State == 'Goa' OR has_mobile", ["(State == 'Goa' OR has_mobile)"]],
  [
    "City == 'Panaji' AND (State == 'Goa' OR NOT has_mobile)",
    ["City == 'Panaji'", "(State == 'Goa' OR NOT has_mobile)"],
  ],
  [
    'NOT (City IS NULL OR dateOfIncorporation IN this month)',
    ['NOT (City IS NULL OR dateOfIncorporation IN this month)'],
  ],
  ['dateOfIncorporation != this month', ['NOT dateOfIncorporation IN this month']],
])('what no filter says stays a piece of the query language: %s', (query, texts) => {
  const terms = termsIn(query)
  expect(terms.map(({ text }) => text)).toEqual(texts)
  expect(terms.at(-1)?.field).toBeNull()
  expect(asked(queryOf(terms))).toEqual(asked(query))
})

const literal = (kind: 'text' | 'number', value: string) => ({ kind, value, at: 0 }) as const
const conditionsOf = (type: ScreenerType) =>
  conditionOver(type, (field) => {
    if (field.kind === 'date') return fc.constantFrom('2024-02-29', '2026-11-01').map((on) => literal('text', on))
    if (field.kind === 'flag') return fc.constantFrom('true', 'false').map((is) => literal('text', is))
    if (field.kind === 'number' || field.kind === 'integer')
      return fc
        .oneof(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom(100_000, 2_500_000, 1_00_00_000, 10 ** 12))
        .map((amount) => literal('number', String(amount)))
    if (field.kind === 'identifier')
      return fc.constant(literal('text', type === 'company' ? 'AAC-3965' : '27AAACR5055K1Z7'))
    if (field.form !== undefined)
      return fc
        .constantFrom(...['403001', '62'].filter((code) => field.form?.shape.test(code)))
        .map((code) => literal('text', code))
    return fc
      .constantFrom(...(field.values.length > 0 ? field.values : ["D'Souza", 'Mapusa']))
      .map((word) => literal('text', word))
  })

/** As the parser builds it. */
function joinedBy(nodes: readonly Node[]): Node {
  const [only] = nodes
  if (nodes.length === 1 && only) return only
  return { kind: 'and', terms: nodes.flatMap((node) => (node.kind === 'and' ? node.terms : [node])) }
}

test.each(screenerTypes)(
  'of %s: any conditions that are joined are filters, which joined again ask the same and are the same filters',
  (type) => {
    const joined = fc
      .array(fc.oneof({ weight: 4, arbitrary: conditionsOf(type) }, treesOf(conditionsOf(type))), {
        minLength: 1,
        maxLength: 6,
      })
      .map((terms) => joinedBy(terms))
    fc.assert(
      fc.property(joined, (node) => {
        const query = printQuery(node)
        const filters = termsIn(query, type)
        expect(asked(queryOf(filters), type)).toEqual(asked(query, type))
        expect(termsIn(queryOf(filters), type)).toEqual(filters)
      }),
      { numRuns: 300 },
    )
  },
)
