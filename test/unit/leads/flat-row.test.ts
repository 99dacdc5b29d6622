import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import { flatRow, joinDescriptions, joinList, presentOffices } from '../../../src/leads/flat-row.ts'
import { anyLead, companyLead, directorLead, gstLead } from './records.ts'

test('a flat row has exactly the designed columns in their order, and only scalars', () => {
  fc.assert(
    fc.property(anyLead, (lead) => {
      const row = flatRow(lead, 'Panji')
      expect(Object.keys(row)).toEqual(leadColumns[lead.type].map(({ name }) => name))
      for (const cell of Object.values(row))
        expect(cell === null || ['string', 'number'].includes(typeof cell)).toBe(true)
    }),
  )
})

test('columns of numbers hold numbers or null, all others text or null', () => {
  fc.assert(
    fc.property(anyLead, (lead) => {
      const row = flatRow(lead, 'Panji')
      for (const { name, kind } of leadColumns[lead.type]) {
        const cell = row[name]
        if (cell !== null) expect([name, typeof cell]).toEqual([name, kind === 'number' ? 'number' : 'string'])
      }
    }),
  )
})

test('every row names somebody, somewhere and its source', () => {
  fc.assert(
    fc.property(anyLead, (lead) => {
      const row = flatRow(lead, 'Register')
      for (const column of ['Last_Name', 'Country']) expect(row[column]).not.toBeNull()
      expect(row['Lead_Source']).toBe('Register')
    }),
  )
})

test('a joined cell splits into as many elements as went in, each without the separator', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string()), { minLength: 1 }), (elements) => {
      expect(joinList(elements)?.split(';')).toEqual(elements.map((each) => (each ?? '').replaceAll(';', ',')))
      expect(joinDescriptions(elements)?.split('|')).toEqual(elements.map((each) => (each ?? '').replaceAll('|', '/')))
    }),
  )
  expect([joinList([]), joinDescriptions([])]).toEqual([null, null])
})

test('lists that belong together have an element for every place', () => {
  const parts = (cell: unknown, separator = ';') => (cell === null ? 0 : String(cell).split(separator).length)
  fc.assert(
    fc.property(companyLead, directorLead, gstLead, (company, director, gst) => {
      const ofCompany = flatRow(company, 'P')
      expect(parts(ofCompany['DirectorDINs'])).toBe(ofCompany['DirectorCount'])
      expect(parts(ofCompany['DirectorNames'])).toBe(ofCompany['DirectorCount'])
      expect(parts(ofCompany['GSTStates'])).toBe(parts(ofCompany['GSTINs']))
      const ofDirector = flatRow(director, 'P')
      for (const column of ['CompanyCINs', 'CompanyNames', 'Designations']) {
        expect(parts(ofDirector[column])).toBe(ofDirector['CompanyCount'])
      }
      const [{ hsnDescriptions, sacDescriptions }] = gst.record.gst
      const ofGst = flatRow(gst, 'P')
      expect(parts(ofGst['HSNDescriptions'], '|')).toBe(hsnDescriptions.length)
      expect(parts(ofGst['SACDescriptions'], '|')).toBe(sacDescriptions.length)
    }),
  )
})

describe('the name of a GST lead', () => {
  const named = (constitution: string | null, legalName: string | null, tradeName: string | null) => {
    const [lead] = fc.sample(gstLead, { numRuns: 1, seed: 1 })
    if (!lead) throw new Error('no sample')
    const [gst] = lead.record.gst
    const fields = {
      ...gst,
      GSTIN: 'G',
      ConstitutionBusiness: constitution,
      LegalName: legalName,
      TradeName: tradeName,
    }
    const row = flatRow({ ...lead, record: { ...lead.record, gst: [fields] } }, 'P')
    return [row['Last_Name'], row['Company']]
  }
  test('is the last name of the proprietor where there is one', () => {
    expect(named('Proprietorship', 'RAVI NAIK', 'NAIK STORES')).toEqual(['NAIK', 'NAIK STORES'])
    expect(named('Proprietorship', null, 'NAIK STORES')).toEqual(['NAIK STORES', 'NAIK STORES'])
  })
  test('is the business otherwise, under its trade name first', () => {
    expect(named('Private Limited Company', 'NAIK FOODS PRIVATE LIMITED', 'NAIK')).toEqual(['NAIK', 'NAIK'])
    expect(named(null, 'NAIK FOODS', null)).toEqual(['NAIK FOODS', 'NAIK FOODS'])
    expect(named(null, null, null)).toEqual(['G', 'G'])
  })
})

test('only the newest present office of each company counts', () => {
  const office = (CIN: string, Designation: string, dateOfCessation: string | null) => {
    return { CIN, companyName: CIN, Designation, dateOfAppointment: null, dateOfCessation }
  }
  const offices = [
    office('A', 'Managing Director', null),
    office('A', 'Director', null),
    office('B', 'Director', '2024-01-01'),
    office('C', 'Director', '2020-01-01'),
    office('C', 'Additional Director', null),
  ]
  expect(presentOffices(offices).map(({ CIN, Designation }) => [CIN, Designation])).toEqual([
    ['A', 'Managing Director'],
    ['C', 'Additional Director'],
  ])
})
