import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { errorIn } from '../../../connectors/salesforce/bulk/job-outcomes.ts'
import { isSayable, uploadBytesMax, uploadFileOf } from '../../../connectors/salesforce/bulk/upload-file.ts'

describe('the file of a bulk job', () => {
  test('ends its lines with LF, leaves alone what a row does not write, and clears by #N/A alone', () => {
    const rows = [
      { of: 'first', values: { Panji_Id__c: 'gst:1', City: 'Panaji', Description: 'one\n"two", three' } },
      { of: 'second', values: { Panji_Id__c: 'gst:2', City: '', AnnualRevenue: 5 } },
    ]
    const { csv, packed, left } = uploadFileOf(rows)
    expect(csv.toString()).not.toContain('\r')
    expect(parse(csv, { columns: true })).toEqual([
      { Panji_Id__c: 'gst:1', City: 'Panaji', Description: 'one\n"two", three', AnnualRevenue: '' },
      { Panji_Id__c: 'gst:2', City: '#N/A', Description: '', AnnualRevenue: '5' },
    ])
    expect([packed, left]).toEqual([['first', 'second'], []])
    expect(isSayable({ City: '#N/A' })).toBe(false)
  })

  test('never outgrows what Salesforce and its sandbox take; what does not fit waits for the next job', () => {
    const Description = 'ü'.repeat(16_000)
    const rows = Array.from({ length: 1_700 }, (_, n) => ({ of: n, values: { Panji_Id__c: `gst:${n}`, Description } }))
    const { csv, packed, left } = uploadFileOf(rows)
    expect(csv.length).toBeLessThanOrEqual(uploadBytesMax)
    expect(csv.length).toBeGreaterThan(uploadBytesMax - 64_000)
    expect(packed.length).toBeLessThan(rows.length)
    expect([...packed, ...left]).toEqual(rows.map(({ of }) => of))
  })
})

test.each([
  ['REQUIRED_FIELD_MISSING:Required fields are missing: [Company]:Company --', 'REQUIRED_FIELD_MISSING', ['Company']],
  ['CANNOT_UPDATE_CONVERTED_LEAD:cannot reference converted lead:--', 'CANNOT_UPDATE_CONVERTED_LEAD', []],
  ['INVALID_EMAIL_ADDRESS:Email: invalid email address: a:b:Email --', 'INVALID_EMAIL_ADDRESS', ['Email']],
  ['something else', 'UNKNOWN', []],
])('the error %s of a row is read', (text, statusCode, fields) => {
  expect(errorIn(text)).toMatchObject({ statusCode, fields })
  expect(errorIn(text).message).not.toBe('')
})
