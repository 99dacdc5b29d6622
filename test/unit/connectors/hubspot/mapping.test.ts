import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leadColumns } from '../../../../config/lead-columns.ts'
import {
  crmObjects,
  desiredValues,
  idProperty,
  mappedPropertyNames,
  objectOf,
  propertiesOf,
} from '../../../../connectors/hubspot/mapping.ts'
import { foreseenRefusal } from '../../../../connectors/hubspot/value-faults.ts'
import { entityTypes } from '../../../../src/domain/identity.ts'
import { companyLead } from '../../../conformance/sample-leads.ts'

const cell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }).map((text) => ` ${text}\t\u00a0`),
  fc.double(),
  fc.integer(),
)
const lead = fc
  .constantFrom(...entityTypes)
  .chain((type) =>
    fc
      .dictionary(fc.constantFrom(...leadColumns[type].map(({ name }) => name), 'unheard_of'), cell, { maxKeys: 40 })
      .map((row) => ({ type, row })),
  )

test('a company of which only a mobile is known can be called: the mobile is its phone', () => {
  const phones = (cells: object) => desiredValues(companyLead(1, { ...cells })).get('phone')
  expect(phones({ Phone: null, Mobile: '+919800000001' })).toBe('+919800000001')
  expect(phones({ Phone: '+918322222222', Mobile: '+919800000001' })).toBe('+918322222222')
  expect(phones({ Phone: null, Mobile: null })).toBe('')
})

describe('the mapping of leads into HubSpot', () => {
  test('a lead of any content gives declared properties with trimmed text, and nothing undefined', () => {
    fc.assert(
      fc.property(lead, (given) => {
        const properties = propertiesOf(objectOf(given.type))
        for (const [name, value] of desiredValues(given)) {
          expect(properties.has(name)).toBe(true)
          expect(typeof value).toBe('string')
          expect(value).toBe(value.trim())
        }
      }),
    )
  })

  test('any finite number is written out in digits, as HubSpot wants it, and keeps its value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 }), (capital) => {
        const value =
          desiredValues({ type: 'company', row: { paidUpCapital: capital } }).get('panji_paid_up_capital') ?? ''
        expect(value).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Math.abs(Number(value) - capital)).toBeLessThanOrEqual(Math.max(1e-20, Math.abs(capital) * 1e-15))
      }),
    )
  })

  test('text of every script passes unchanged but for the spaces around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const values = desiredValues({ type: 'gst', row: { Company: ` ${text} ` } })
        expect(values.get('name')).toBe(text.trim())
      }),
    )
  })

  test('every column of every kind of lead has its own place', () => {
    for (const type of entityTypes) {
      for (const { name } of leadColumns[type]) {
        const marked = desiredValues({ type, row: { [name]: 'mark' } })
        expect([...marked.values()].filter((value) => value === 'mark').length, `${type}.${name}`).toBeGreaterThan(0)
      }
      const all = desiredValues({ type, row: Object.fromEntries(leadColumns[type].map(({ name }) => [name, name])) })
      expect(new Set(all.values()).size).toBe(leadColumns[type].length)
    }
  })

  test('property names are ones that HubSpot takes, few enough for one batch of creations', () => {
    for (const name of mappedPropertyNames) expect(name).toMatch(/^[a-z][a-z0-9_]{0,99}$/)
    for (const object of crmObjects) expect(propertiesOf(object).size).toBeLessThanOrEqual(100)
    expect(mappedPropertyNames).not.toContain(idProperty)
    expect([...mappedPropertyNames]).toEqual(
      expect.arrayContaining(['panji_director_dins', 'panji_date_of_last_agm', 'panji_hsn_codes', 'panji_gst_states']),
    )
  })
})

describe('values that are certain to be refused', () => {
  const fault = (name: string, value: string) => foreseenRefusal(new Map([[name, value]]), propertiesOf('companies'))

  test.each([
    ['panji_email', 'no-address', 'INVALID_EMAIL'],
    ['panji_email', 'two@@example.com', 'INVALID_EMAIL'],
    ['panji_email', 'a b@example.com', 'INVALID_EMAIL'],
    ['panji_paid_up_capital', '1e5', 'INVALID_INTEGER'],
    ['panji_paid_up_capital', '1,00,000', 'INVALID_INTEGER'],
    ['panji_date_of_last_agm', '2023-02-29', 'INVALID_DATE'],
    ['panji_date_of_last_agm', '29/02/2024', 'INVALID_DATE'],
    ['name', 'x'.repeat(65_537), 'VALUE_TOO_LONG'],
  ])('%s cannot hold %.20s', (name, value, code) => {
    expect(fault(name, value)).toMatchObject({ code, field: name })
  })

  test.each([
    ['panji_email', "o'brien+goa@mail.example.co.in"],
    ['panji_paid_up_capital', '-100000.50'],
    ['panji_date_of_last_agm', '2024-02-29'],
    ['name', 'x'.repeat(65_536)],
    ['panji_email', ''],
  ])('%s may hold %.40s', (name, value) => {
    expect(fault(name, value)).toBeNull()
  })
})
