import { describe, expect, test } from 'vitest'
import type { CrmField } from '../../../connectors/contract.ts'
import type { FieldMapping } from '../../../src/deliver/destinations/field-mapping.ts'
import { faultOfValue, faultsOfMapping } from '../../../src/deliver/mapping/check-mapping.ts'

const field = (name: string, type: string, over: Partial<CrmField> = {}): CrmField => ({
  ...{ name, label: name, type, lengthMax: null, required: false, allowed: null },
  ...over,
})
const source = field('Source', 'picklist', { allowed: ['PANJI', 'Web'] })
const fields = [
  ...[
    source,
    field('Panji_Id', 'string', { isIdentity: true }),
    field('City', 'string', { lengthMax: 5 }),
    field('Name', 'string', { required: true }),
  ],
  ...[field('Capital', 'double'), field('Founded', 'date'), field('Mail', 'email'), field('Partner', 'boolean')],
]
const faults = (...mapping: FieldMapping[]) => faultsOfMapping(mapping, fields)

describe('a mapping that the CRM would refuse is refused when it is kept', () => {
  test('fields that are none, columns that are none or of other leads, and a field twice', () => {
    expect(faults({ field: 'Town', ownership: 'always' })).toEqual([
      'fields[0]: the CRM has no field Town that may be written',
    ])
    expect(faults({ field: 'City', value: { template: '{Town}, {DIN}' }, for: ['gst'] })).toEqual([
      'fields[0]: a lead has no column Town',
      'fields[0]: gst leads have no column DIN',
    ])
    const city: FieldMapping = { field: 'City', value: { column: 'City' } }
    expect(faults({ ...city, for: ['gst'] }, { ...city, for: ['company'] })).toEqual([])
    expect(faults(city, { ...city, for: ['gst'] })).toEqual(['fields[1]: City is mapped twice for gst leads'])
    expect(faults({ field: 'City' })).toEqual(['fields[0]: it names neither a value nor an ownership'])
  })

  test('a brace that stands alone, which would be written as it is', () => {
    const braces = (template: string) => faults({ field: 'Source', value: { template } })
    expect(braces('{LegalName ({GSTIN})')).toEqual([
      'fields[0]: "{LegalName ({GSTIN})" has a brace around no column; write a column as {GSTIN}',
    ])
    expect(braces('GSTIN}')).toHaveLength(1)
    expect(braces('{Legal Name}')).toHaveLength(1)
    expect(braces('{GSTIN}, {City}')).toEqual([])
  })

  test('the identity, a required field that is left out, and a yes or no', () => {
    expect(faults({ field: 'Panji_Id', value: { column: 'GSTIN' } })).toEqual([
      'fields[0]: Panji_Id holds the identity of the record, which no mapping fills',
    ])
    expect(faults({ field: 'Name', value: { omit: true } })).toEqual(['fields[0]: Name is required by the CRM'])
    expect(faults({ field: 'Partner', value: { constant: 'yes' } })).toEqual([
      'fields[0]: Partner is a yes or no, which no text fills',
    ])
  })

  test('a constant is checked as it will be sent: after its transforms', () => {
    expect(faults({ field: 'Source', value: { constant: 'panji' }, transform: ['upper'] })).toEqual([])
    expect(faults({ field: 'Source', value: { constant: 'Leaflet' }, transform: ['upper'] })).toEqual([
      'fields[0]: Source takes one of its list, and "LEAFLET" is none',
    ])
    expect(faults({ field: 'City', value: { constant: ' Goa  ' }, transform: ['trim'] })).toEqual([])
    expect(faults({ field: 'City', value: { constant: 'Panaji' } })).toEqual([
      'fields[0]: City takes 5 characters, not 6',
    ])
  })

  test('a constant may be what people read in place of a value of the list, as a push takes it', () => {
    const owner = field('Owner', 'owner', { allowed: ['7'], labels: { 'asha@example.com': '7' } })
    const faultsOf = (constant: string) => faultOfValue(owner, constant)
    expect(['7', 'asha@example.com', 'Asha@Example.com'].flatMap(faultsOf)).toEqual([])
    expect(faultsOf('ravi@example.com')).toEqual(['Owner takes one of its list, and "ravi@example.com" is none'])
    expect(faultOfValue(source, 'web')).toEqual([])
  })

  test('a text where the CRM wants a number, a day or an address', () => {
    const constant = (name: string, text: string) => faults({ field: name, value: { constant: text } })
    expect(constant('Capital', '100000.50')).toEqual([])
    expect(constant('Capital', '1,00,000')).toEqual(['fields[0]: Capital is a number, and "1,00,000" is none'])
    expect(constant('Founded', '2020-02-29')).toEqual([])
    expect(constant('Founded', '29.02.2020')).toEqual([
      'fields[0]: Founded is a day written 2026-04-01, and "29.02.2020" is none',
    ])
    expect(constant('Mail', 'office@zuari.example.com')).toEqual([])
    expect(constant('Mail', 'office')).toEqual(['fields[0]: Mail is an e-mail address, and "office" is none'])
  })
})

test('a sample says of each value what the CRM would', () => {
  expect(faultOfValue(source, 'Elsewhere')).toEqual(['Source takes one of its list, and "Elsewhere" is none'])
  expect(faultOfValue(source, '')).toEqual([])
  expect(faultOfValue(field('Count', 'integer'), 'seven')).toEqual(['Count is a number, and "seven" is none'])
})
