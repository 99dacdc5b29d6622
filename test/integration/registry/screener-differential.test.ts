import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { gstinCheckDigit } from '../../../src/domain/gstin.ts'
import { collectNameWords } from '../../../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../../../src/ingest/after/word-counts.ts'
import type { Literal } from '../../../src/registry/screener/ast.ts'
import type { Field, ScreenerType } from '../../../src/registry/screener/fields.ts'
import { printQuery } from '../../../src/registry/screener/print.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws, figure } from '../../support/figures.ts'
import { insertCompany, insertDirectorship, insertGst, raiseVersion } from '../../support/registry-rows.ts'
import { conditionOver, treesOf } from '../../support/screener-arbitrary.ts'
import { holds, type Values } from '../../support/screener-evaluate.ts'

const database = useTestDatabase()
const names = [
  'Acme Private Limited',
  'ACME PVT LTD',
  'Sea & Sun LLP',
  'Infra-Tech Limited',
  "D'Souza (Goa) Pvt. Ltd.",
  '50%_off',
  '2e7ed1zd Néctar मुंबई Co',
  'The Orchid & Co LLP',
]
/** Texts of which the key of a name leaves nothing, and some of which it leaves a part. */
const foldedAway = [
  'llp',
  'LLP',
  'pvt ltd',
  'Private',
  'opc',
  'and',
  'The',
  '&',
  '',
  ' ',
  'p r i v a t e',
  'limited.',
  'THÉ',
  'the sea',
  'sun llp',
  'Acme Private',
  'cme pvt. ltd',
  'ACME LIMITED',
  'tech limited',
  'd souza (goa) private ltd',
  "D'SOUZA GOA PRIVATE LIM",
  'Acme P',
  'infra tech l',
]
const places = ['Mumbai', 'MUMBAI', 'Navi Mumbai', 'Goa', "Pont d'Ain", 'मुंबई']
const dates = ['1999-12-31', '2024-02-29', '2024-03-01']
const codes = ['0902', '8471', '84713010', '998313']
const text = (value: string): Literal => ({ kind: 'text', value, at: 0 })
const number = (value: number): Literal => ({ kind: 'number', value: String(value), at: 0 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })

const flag = fc.constantFrom('true', 'false')
const reached = { has_mobile: flag, has_email: flag, has_website: flag, owned: fc.constant('false') }
const company = fc.record({
  company: fc.constantFrom(...names),
  City: maybe(fc.constantFrom(...places)),
  State: maybe(fc.constantFrom('Goa', 'Maharashtra')),
  District: maybe(fc.constantFrom(...places)),
  Pincode: maybe(fc.constantFrom('403001', '400021')),
  paidUpCapital: maybe(fc.constantFrom(0, 100000, 100000.5)),
  authorisedCapital: maybe(fc.constantFrom(0, 13e9)),
  NICCode: maybe(fc.constantFrom(1110, 62011)),
  NICDesc: maybe(fc.constantFrom(...places)),
  mainDivision: maybe(fc.constantFrom('01', '62')),
  llpStatus: maybe(
    fc.constantFrom(
      'Active',
      'ACTIVE',
      'Struck Off',
      'Strike-Off',
      'Under Process of Striking Off',
      'Activ',
      'Oddly  Closed',
    ),
  ),
  Listed: maybe(fc.constantFrom('Listed', 'Unlisted')),
  companyType: fc.constantFrom('Company', 'LLP'),
  classOfCompany: maybe(fc.constantFrom('Private', 'Public')),
  companyCategory: maybe(
    fc.constantFrom('Unlimited company', 'Company limited by Shares', 'Company limited by shares'),
  ),
  dateOfIncorporation: maybe(fc.constantFrom(...dates)),
  ROCCode: maybe(fc.constantFrom('ROC Goa')),
  boardSize: fc.constantFrom(0, 2),
  ...reached,
})
const gst = fc.record({
  TradeName: maybe(fc.constantFrom(...names)),
  LegalName: maybe(fc.constantFrom(...names)),
  state: maybe(fc.constantFrom('Goa', 'Maharashtra')),
  District: maybe(fc.constantFrom(...places)),
  Pincode: maybe(fc.constantFrom('403001', '400021')),
  Status: maybe(fc.constantFrom('Active', 'Activ', 'Cancelled')),
  TaxpayerType: maybe(fc.constantFrom('Regular', 'Composition')),
  ConstitutionBusiness: maybe(fc.constantFrom('Partnership', 'PAR', 'Odd Body')),
  BusinessActivities: fc.subarray(['Export', 'EXPORT', 'Retail Business', 'Odd Trade']),
  hsncd: fc.subarray(codes),
  saccd: fc.subarray(codes),
  DateOfRegistration: maybe(fc.constantFrom(...dates)),
  ...reached,
})
const gstin = (index: number) => {
  const first14 = `27AAACR${String(index).padStart(4, '0')}K1Z`
  return first14 + gstinCheckDigit(first14)
}
const seed = 20251001
const companies = fc
  .sample(company, { seed, numRuns: 120 })
  .map((row, index): Values => ({ CIN: `U85100GA2022PTC9${String(index).padStart(5, '0')}`, ...row }))
const registrations = fc
  .sample(gst, { seed, numRuns: 120 })
  .map((row, index): Values => ({ GSTIN: gstin(index), ...row }))
const keys = new Map<string, string>()

beforeAll(async () => {
  const { db } = database
  for (const row of companies) {
    await insertCompany(db, {
      cin: String(row['CIN']),
      name: String(row['company']),
      city: row['City'],
      state: row['State'],
      district: row['District'],
      pincode: row['Pincode'],
      paid_up_capital: row['paidUpCapital'],
      authorised_capital: row['authorisedCapital'],
      nic_code: row['NICCode'],
      nic_description: row['NICDesc'],
      main_division: row['mainDivision'],
      status: row['llpStatus'],
      listed: row['Listed'],
      company_type: row['companyType'],
      class: row['classOfCompany'],
      category: row['companyCategory'],
      incorporated_on: row['dateOfIncorporation'],
      roc_code: row['ROCCode'],
    })
    for (const din of row['boardSize'] === 2 ? ['00000011', '00000012'] : []) {
      await insertDirectorship(db, {
        cin: String(row['CIN']),
        din,
        designation: 'Director',
        appointed_on: '2024-04-01',
      })
    }
  }
  for (const row of registrations) {
    await insertGst(db, {
      gstin: String(row['GSTIN']),
      trade_name: row['TradeName'],
      legal_name: row['LegalName'],
      state: row['state'],
      district: row['District'],
      pincode: row['Pincode'],
      status: row['Status'],
      taxpayer_type: row['TaxpayerType'],
      constitution: row['ConstitutionBusiness'],
      business_activities: row['BusinessActivities'],
      hsn_codes: row['hsncd'],
      sac_codes: row['saccd'],
      registered_on: row['DateOfRegistration'],
    })
  }
  await insertContacts('company', 'CIN', companies)
  await insertContacts('gst', 'GSTIN', registrations)
  // With their words known, names are looked for through the words.
  for (const entity of ['company', 'gst'] as const) {
    await raiseVersion(db, entity)
    await collectNameWords(db, entity)
    await collectHeldWords(db, entity)
  }
  const written = [...names, ...foldedAway].flatMap((name) => [name, name.slice(0, 4)])
  const rows = await db.query<{ name: string; key: string }>(
    'SELECT name, registry.name_key(name) AS key FROM unnest($1::text[]) AS name',
    [written],
  )
  for (const { name, key } of rows) keys.set(name, key)
})

/** Of a record that cannot be reached so, an address that reaches nobody or none, and a contact that has ended. */
async function insertContacts(entity: ScreenerType, key: string, rows: readonly Values[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const email = row['has_email'] === 'true' ? `office${index}@example.com` : index % 2 ? 'x@mailinator.com' : null
    const mobile = row['has_mobile'] === 'true' ? `+9198${String(index).padStart(8, '0')}` : null
    const website = row['has_website'] === 'true' ? `https://office${index}.example.com` : null
    await database.db.query(
      `INSERT INTO registry.contact (id, entity, identifier, email, mobile, website, first_run_id, last_run_id, as_of, closed_on)
       VALUES ($1 || ':' || $2, $1, $2, $3, $4, $5, 1, 1, '2025-01-01', NULL),
              ($1 || ':' || $2 || ':old', $1, $2, 'gone@example.com', '+919900000000', 'https://gone.example.com', 1, 1, '2024-01-01', '2024-06-01')`,
      [entity, row[key], email, mobile, website],
    )
  }
}

/** Of a vocabulary: its words, and those that records hold, in other letters. Other words are refused. */
function wordsFor({ name, register, values, vocabulary }: Field): string[] {
  if (vocabulary === undefined) return places
  const held = (register === 'company' ? companies : registrations).flatMap((row) => row[name] ?? []).map(String)
  return vocabulary === 'state' ? [...values] : [...values, ...held, ...held.map((word) => word.toUpperCase())]
}

function valueFor(field: Field): fc.Arbitrary<Literal> {
  switch (field.kind) {
    case 'number':
      return fc.constantFrom(number(0), number(100000), number(100000.5), number(13e9))
    case 'integer':
      return field.name === 'boardSize'
        ? fc.constantFrom(number(0), number(1), number(2))
        : fc.constantFrom(number(1110), number(62011), number(-1))
    case 'date':
      return fc.constantFrom(...dates.map(text))
    case 'name':
      return fc.constantFrom(...[...names, ...foldedAway].map(text))
    case 'code':
      return fc.constantFrom(...(field.digits === 2 ? ['01', '62', '70'] : ['403001', '400021', '999999']).map(text))
    case 'list':
      return fc.constantFrom(
        ...(field.vocabulary ? ['Export', 'retail  business', 'Odd Trade', 'odd-trade'] : codes).map(text),
      )
    case 'identifier':
      return fc.constantFrom(text(field.register === 'company' ? 'U85100GA2022PTC900007' : gstin(11)))
    case 'text':
      return fc.constantFrom(...wordsFor(field).map(text))
    case 'flag':
      return fc.constantFrom(text('true'), text('false'))
  }
}

test.each([
  ['company', 'counted', companies, 'CIN'],
  ['gst', 'counted', registrations, 'GSTIN'],
  ['company', 'not counted yet', companies, 'CIN'],
  ['gst', 'not counted yet', registrations, 'GSTIN'],
] as const)(
  'PostgreSQL finds exactly the %s records of which the query is true, its words %s',
  async (type: ScreenerType, words, rows, key) => {
    if (words === 'not counted yet') await raiseVersion(database.db, type)
    const nameKey = (name: string) => {
      const known = keys.get(name)
      if (known === undefined) throw new Error(`the key of ${name} was not read`)
      return known
    }
    const found = { some: 0, none: 0, all: 0 }
    await fc.assert(
      fc.asyncProperty(treesOf(conditionOver(type, valueFor)), async (tree) => {
        const query = printQuery(tree)
        const { node } = readQuery(type, query)
        const expected = rows.filter((row) => holds(type, node, row, nameKey)).map((row) => row[key])
        const { results, total } = await runScreener(database.db, { type, query, page: 1, limit: 200 })
        expect(results.map((hit) => (hit as unknown as Values)[key])).toEqual(expected)
        expect(total).toBe(expected.length)
        found[expected.length === 0 ? 'none' : expected.length === rows.length ? 'all' : 'some'] += 1
      }),
      { numRuns: draws(300) },
    )
    // Queries that all find nothing, or everything, would compare nothing.
    expect(found.some).toBeGreaterThan(figure(30, 100))
  },
)
