import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { readEmails } from '../../../src/domain/contact/email-addresses.ts'
import { readPhones } from '../../../src/domain/contact/phone-numbers.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const header = 'entity,identifier,email,mobile,phone,website,origin'
const gstin = '27AAACR5055K1Z7'
const cells =
  '"Info@Example.in; sales[at]example[dot]in",98123 45678 / 98123 45679,0832-2222222,https://Example.in/Path/Case,partner'
const take = (lines: readonly string[], asOf: string, name = 'contacts.csv') =>
  ingest('contacts', file(name, `${[header, ...lines].join('\n')}\n`), { asOf })

beforeEach(() => emptyRegisters(database.db))

const contactOf = async (entity: string, identifier: string) => {
  const [row] = await database.db.query<Record<string, unknown>>('SELECT * FROM registry.contact_of($1, $2, false)', [
    entity,
    identifier,
  ])
  return row
}
const waysTo = (entity: string, identifier: string) =>
  database.db.query<{ kind: string; value: string; origin: string | null; as_of: string }>(
    `SELECT kind, value, origin, as_of FROM registry.ways_to_reach($1, $2) ORDER BY kind, place`,
    [entity, identifier],
  )

test('several addresses and numbers of one cell are several contacts, and junk is a repair and no contact', async () => {
  const run = await take(
    [`gst,${gstin},${cells}`, 'director,12345,not available,12345,1800 123 4567,none given,partner'],
    '2026-01-01',
  )
  expect(run).toMatchObject({ status: 'succeeded', inserted: 2, rejected: 0 })
  expect(run.report['repaired']).toMatchObject({
    email_split: 1,
    phone_split: 1,
    email_dropped: 1,
    mobile_dropped: 1,
    phone_dropped: 1,
    website_dropped: 1,
  })
  expect(await contactOf('gst', gstin)).toMatchObject({
    email: 'info@example.in',
    mobile: '+919812345678',
    phone: '+918322222222',
    website: 'https://example.in/Path/Case',
  })
  expect((await waysTo('gst', gstin)).map(({ kind, value }) => [kind, value])).toEqual([
    ['email', 'info@example.in'],
    ['email', 'sales@example.in'],
    ['landline', '+918322222222'],
    ['mobile', '+919812345678'],
    ['mobile', '+919812345679'],
  ])
  expect(await waysTo('director', '00012345')).toEqual([])
  expect(await contactOf('director', '00012345')).toMatchObject({
    email: null,
    mobile: null,
    phone: null,
    website: null,
  })
})

test('what several have collected stands side by side, the freshest first, each with its source, file and day', async () => {
  await take([`gst,${gstin},${cells}`], '2026-01-01')
  await take([`gst,${gstin},fresh@example.in,,,,website`], '2026-03-01', 'fresh.csv')
  await take([`gst,${gstin},NOT GIVEN,,,,registrar`], '2026-05-01')
  expect(await contactOf('gst', gstin)).toMatchObject({ email: 'fresh@example.in', mobile: '+919812345678' })
  const contact = await contactOf('gst', gstin)
  expect(contact?.['ways']).toContainEqual({
    kind: 'email',
    value: 'fresh@example.in',
    source: 'website',
    file: 'fresh.csv',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    day: '2026-03-01',
    do_not_contact: false,
    preferences: [],
  })
})

test("a company's own address counts once it parses, and stands behind a collected one, for its day is a snapshot's", async () => {
  const cin = 'U85100GA2022PTC015001'
  const columns =
    'CORPORATE_IDENTIFICATION_NUMBER,COMPANY_NAME,COMPANY_STATUS,DATE_OF_REGISTRATION,REGISTRAR_OF_COMPANIES,INDUSTRIAL_CLASS,EMAIL_ADDR,LATEST_YEAR_ANNUAL_RETURN,LATEST_YEAR_FINANCIAL_STATEMENT'
  const line = (id: string, email: string) =>
    `${id},A PRIVATE LIMITED,ACTV,01-02-2022,RoC-Goa,85100,${email},30-09-2024,31-03-2024\n`
  const run = await ingest(
    'mca-companies',
    file(
      'companies.csv',
      `${columns}\n${line(cin, '"A@Example.in, b@example.in"')}${line('U85100GA2022PTC015002', 'NOT AVAILABLE')}`,
    ),
    { asOf: '2026-01-01' },
  )
  expect(run.report['repaired']).toMatchObject({ email_split: 1, email_dropped: 1 })
  expect(await database.db.query('SELECT cin, email, emails, last_agm_on FROM registry.company ORDER BY cin')).toEqual([
    { cin, email: 'a@example.in', emails: ['a@example.in', 'b@example.in'], last_agm_on: '2024-09-30' },
    { cin: 'U85100GA2022PTC015002', email: null, emails: null, last_agm_on: '2024-09-30' },
  ])
  await take([`company,${cin},z@example.in,,,,vendor`], '2025-06-01')
  expect((await waysTo('company', cin)).map(({ value }) => value)).toEqual([
    'z@example.in',
    'a@example.in',
    'b@example.in',
  ])
})

test('a row of before, without lists, is reached under what is plainly valid of it', async () => {
  await database.db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, email, mobile, phone, first_run_id, last_run_id, as_of)
     VALUES ('director:00099999', 'director', '00099999', 'old@example.in', '+919812345670', 'ask at the desk', 1, 1, '2025-01-01')`,
  )
  expect((await waysTo('director', '00099999')).map(({ value }) => value)).toEqual(['old@example.in', '+919812345670'])
})

const sign = fc.constantFrom(...'0123456789 -+@._aZé'.split(''))
const nearly = fc.oneof(
  fc.emailAddress(),
  fc.array(sign, { maxLength: 30 }).map((signs) => signs.join('')),
  fc.stringMatching(/^(\+?91|0|)[ -]?[6-9][0-9]{4}[ -]?[0-9]{5}$/),
  fc.stringMatching(/^(\+?91|0|)[ -]?[1-8][0-9]{2}[ -]?[0-9]{7}$/),
  fc.stringMatching(
    /^0?(612|66[13]|73[134]|75[15]|82[014]|83[126]|86[136]|87[78]|883|7[0-9]{2}|8[0-9]{2})-[2-6][0-9]{6}$/,
  ),
  fc.constantFrom('1234567890', '2222222222', '09876543210', '18001234567', '1800123456', '0140-1234567'),
  fc.stringMatching(/^[a-z0-9._-]{1,12}@[a-z0-9.-]{1,12}\.[a-z]{1,13}$/),
  fc.stringMatching(
    /^[a-z0-9]{1,40}([._-][a-z0-9]{1,20}){0,3}@([a-z0-9]{1,30}(-[a-z0-9]{1,9}){0,2}\.){1,4}[a-z]{2,12}$/,
  ),
  fc.stringMatching(/^(na|nil|no-?email|noreply|abc|raj)@(na|abc|gmail|test)\.(com|con|in|comm)$/),
)

test('what SQL takes in its plain form, the libraries take for the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(nearly, { minLength: 50, maxLength: 200 }), async (cells) => {
      const rows = await database.db.query<Record<'email' | 'mobile' | 'landline', string | null> & { cell: string }>(
        `SELECT cell, ingest.plain_email(ingest.clean(cell)) AS email, ingest.plain_mobile(ingest.clean(cell)) AS mobile,
                ingest.plain_landline(ingest.clean(cell)) AS landline
         FROM unnest($1::text[]) AS cell`,
        [cells],
      )
      for (const { cell, email, mobile, landline } of rows) {
        if (email !== null) expect(readEmails(cell)).toEqual({ addresses: [email], hasJunk: false })
        if (mobile !== null) {
          expect(readPhones(cell)).toEqual({ phones: [{ number: mobile, type: 'mobile' }], hasJunk: false })
        }
        if (landline !== null) {
          expect(readPhones(cell)).toEqual({ phones: [{ number: landline, type: 'landline' }], hasJunk: false })
        }
      }
    }),
    { numRuns: draws(60) },
  )
})

test('a contact whose owner asked not to be contacted says so, unless the owner has agreed since', async () => {
  await take([`gst,${gstin},${cells}`], '2026-01-01')
  const taken = await ingest(
    'preferences',
    file(
      'dnd.csv',
      'contact,preference,list,date\n98123 45678,,NCPR,2026-02-01\nINFO@example.in,do_not_contact,own,2026-02-01\nINFO@example.in,consent,form,2026-02-02\nnobody,,,\n',
    ),
    { asOf: '2026-06-01' },
  )
  expect(taken).toMatchObject({ status: 'succeeded', inserted: 3, rejected: 1 })
  const ways = await database.db.query<{ value: string; barred: boolean }>(
    `SELECT value, barred FROM registry.ways_to_reach('gst', $1) WHERE value IN ('+919812345678', 'info@example.in') ORDER BY 1`,
    [gstin],
  )
  expect(ways).toEqual([
    { value: '+919812345678', barred: true },
    { value: 'info@example.in', barred: false },
  ])
  const shown = await contactOf('gst', gstin)
  expect(shown?.['ways']).toContainEqual(
    expect.objectContaining({
      value: '+919812345678',
      do_not_contact: true,
      preferences: [{ preference: 'do_not_contact', list: 'NCPR', day: '2026-02-01' }],
    }),
  )
  const [kept] = await database.db.query('SELECT mobile FROM registry.contact_of($1, $2, true)', ['gst', gstin])
  expect(kept).toEqual({ mobile: '+919812345679' })
})
