import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import type { CrmField, OutgoingLead } from '../../../connectors/contract.ts'

import { foreseenRefusal } from '../../../connectors/salesforce/fill-fields.ts'
import { mapLead } from '../../../connectors/salesforce/mapping.ts'
import { audienceOf } from '../../../connectors/salesforce/org-sign-in.ts'
import { parseSettings } from '../../../connectors/salesforce/settings.ts'
import { shorten } from '../../../connectors/shorten.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'

const lengths: Record<string, number> = {
  LastName: 80,
  FirstName: 40,
  Company: 255,
  Email: 80,
  Phone: 40,
  MobilePhone: 40,
  Website: 255,
  Street: 255,
  City: 40,
  State: 80,
  PostalCode: 20,
  Country: 80,
  LeadSource: 255,
  Description: 32_000,
  Panji_Id__c: 80,
}
const crmFields = new Map<string, CrmField>(
  Object.entries(lengths).map(([name, lengthMax]) => [
    name,
    { name, label: name, type: name === 'Email' ? 'email' : 'string', lengthMax, required: false, allowed: null },
  ]),
)
const given = {
  auth: 'client_credentials',
  login_url: 'https://acme.my.salesforce.com',
  client_id: 'app',
  client_secret: 'secret',
}
const settings = parseSettings(given)

const cell = fc.oneof(fc.constant(null), fc.integer(), fc.string({ unit: 'grapheme', maxLength: 300 }))
const anyLead = fc
  .constantFrom(...entityTypes)
  .chain((type) =>
    fc.tuple(fc.constant(type), fc.tuple(...leadColumns[type].map(({ name }) => fc.tuple(fc.constant(name), cell)))),
  )
  .map(([type, cells]): OutgoingLead => {
    const row = Object.fromEntries(cells)
    return { itemId: 'i', externalId: `${type}:X1`, type, row, lastPushed: null, crmId: null }
  })

describe('the mapping onto a Lead', () => {
  test('loses no cell of any row: it lies in a field or in the Description', () => {
    fc.assert(
      fc.property(anyLead, (lead) => {
        const fields = mapLead(lead, settings, crmFields)
        const all = Object.values(fields).map(String)
        for (const value of Object.values(lead.row)) {
          const text = String(value ?? '')
            .replaceAll('\r\n', '\n')
            .trim()
          expect(all.some((field) => field.includes(text))).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('cuts names and places at the field’s length, and leaves identifiers, numbers and addresses whole', () => {
    fc.assert(
      fc.property(anyLead, (lead) => {
        const fields = mapLead(lead, settings, crmFields)
        for (const name of ['LastName', 'FirstName', 'Company', 'Street', 'City', 'State', 'Country', 'Description']) {
          expect(String(fields[name] ?? '').length).toBeLessThanOrEqual(lengths[name] ?? 0)
        }
        const email = lead.row['Email']
        if (typeof email === 'string' && email.trim() !== '') expect(fields['Email']).toBe(email.trim())
        expect(fields['Panji_Id__c']).toBe(lead.externalId)
        expect(fields['LastName']).not.toBe('')
        expect(fields['Company']).toBeDefined()
      }),
      { numRuns: 200 },
    )
  })

  test('a city that is too long is cut in its field and whole in the Description', () => {
    const city = 'Thiruvananthapuram Municipal Corporation Area North'
    const fields = mapLead(gstLead(1, { City: city }), settings, crmFields)
    expect(fields['City']).toBe('Thiruvananthapuram Municipal Corporatio…')
    expect(fields['Description']).toContain(`City: ${city}`)
  })

  test('a director without a company takes the first one he directs, a trader without a person his legal name', () => {
    expect(mapLead(directorLead(1), settings, crmFields)['Company']).toBe('Zuari Foods 1 Private Limited')
    expect(mapLead(gstLead(1, { Last_Name: null }), settings, crmFields)['LastName']).toBe('MANDOVI TRADERS 1')
  })

  test('columns lie in the custom fields that the settings name', () => {
    const custom = { ...settings, custom_fields: { CIN: 'CIN__c' } }
    const withCin = new Map(crmFields).set('CIN__c', { ...field('CIN__c'), lengthMax: 21 })
    const fields = mapLead(companyLead(1), custom, withCin)
    expect(fields['CIN__c']).toBe('U85100GA2022PTC010001')
    expect(fields['Description']).not.toContain('CIN:')
  })

  test('a cut never leaves half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, lengthMax) => {
        const cut = shorten(text, lengthMax)
        expect(cut.length).toBeLessThanOrEqual(lengthMax)
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })

  test('a plan foresees what Salesforce refuses', () => {
    const refusal = (cells: object) =>
      foreseenRefusal(mapLead(gstLead(1, { ...cells }), settings, crmFields), crmFields)
    expect(refusal({})).toBeNull()
    expect(refusal({ Email: 'none' })).toMatchObject({ code: 'INVALID_EMAIL_ADDRESS', field: 'Email' })
    expect(refusal({ Zip_Code: '4'.repeat(21) })).toMatchObject({ code: 'STRING_TOO_LONG', field: 'PostalCode' })
  })
})

describe('settings', () => {
  test.each([
    ['https://login.salesforce.com', 'https://login.salesforce.com'],
    ['https://acme.my.salesforce.com', 'https://login.salesforce.com'],
    ['https://test.salesforce.com', 'https://test.salesforce.com'],
    ['https://acme--uat.sandbox.my.salesforce.com', 'https://test.salesforce.com'],
  ])('an assertion for %s is addressed to %s', (address, audience) => {
    expect(audienceOf(address)).toBe(audience)
  })

  test.each([
    'http://login.salesforce.com',
    'https://login.salesforce.com.evil.example',
    'https://evil.example/.salesforce.com',
    'https://user:pass@login.salesforce.com',
    'https://169.254.169.254',
    'https://salesforce.com@evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1:8081/x',
    'https://127.0.0.1',
    'http://localhost:8081/salesforce',
    'https://login.salesforce.com:8443',
    'file:///etc/passwd',
  ])('credentials are never sent to %s', (address) => {
    expect(() => parseSettings({ ...settings, login_url: address })).toThrow(/login_url/)
  })

  test.each(['https://login.salesforce.com', 'https://acme--uat.sandbox.my.salesforce.com'])(
    '%s is taken',
    (address) => {
      const { client_id } = settings
      const token = { auth: 'refresh_token', client_id, refresh_token: 'token' }
      expect(parseSettings({ ...token, login_url: address }).login_url).toBe(address)
    },
  )
})

function field(name: string): CrmField {
  return { name, label: name, type: 'string', lengthMax: null, required: false, allowed: null }
}
