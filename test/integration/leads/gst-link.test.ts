import { expect, test } from 'vitest'
import { readRecords } from '../../../src/leads/build-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { cinOf, createAccount, gstinOf, insertCompany, insertGst } from '../orders/world.ts'

const database = useTestDatabase()
let serial = 0

interface World {
  readonly company?: Readonly<Record<string, unknown>>
  /** Whether the first of the others is what the company was before. */
  readonly isSuccessor?: true
  readonly others?: readonly Readonly<Record<string, unknown>>[]
  readonly gst: readonly Readonly<Record<string, unknown>>[]
}

/** The GSTINs that a company of this world is linked to; every call is a world of its own under a new name. */
async function linksOf({ company = {}, isSuccessor, others = [], gst }: World): Promise<string[]> {
  const { db } = database
  serial += 10
  const word = `sample${serial}`
  const named = (fields: Readonly<Record<string, unknown>>, key: string) =>
    typeof fields[key] === 'string' ? { ...fields, [key]: fields[key].replace('SAMPLE', word.toUpperCase()) } : fields
  const cin = cinOf(serial)
  await insertCompany(
    db,
    cin,
    named(
      {
        ...{ name: 'SAMPLE FOODS PRIVATE LIMITED', name_key: `${word} foods`, state: 'Goa' },
        ...{ previous_cins: isSuccessor ? [cinOf(serial + 1)] : null, ...company },
      },
      'name',
    ),
  )
  for (const [index, other] of others.entries()) {
    await insertCompany(db, cinOf(serial + index + 1), { name_key: `${word} foods`, ...named(other, 'name') })
  }
  for (const row of gst) {
    const { gstin, ...fields } = row as { gstin: string }
    await insertGst(db, gstin, { state: 'Goa', ...named(fields, 'legal_name') })
  }
  const accountId = await createAccount(db)
  const [item] = await db.query<{ id: string }>(
    `WITH purchase AS (
       INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'Link', 'credits', 'completed', 'paid', 1, 1) RETURNING order_id)
     INSERT INTO orders.item (order_id, position, type, identifier, name)
     SELECT order_id, 0, 'company', $2, 'X' FROM purchase RETURNING item_id AS id`,
    [accountId, cin],
  )
  const [lead] = await readRecords(db, [item?.id ?? ''])
  return lead?.type === 'company' ? lead.record.gst.map(({ GSTIN }) => GSTIN) : []
}

/** A GSTIN of its own per call: state, PAN serial and PAN letter. */
const registration = (
  pan: number,
  legalName: string,
  fields: { state?: string; code?: string; letter?: string } = {},
) => {
  const gstin = gstinOf(pan, fields.code ?? '30', fields.letter ?? 'C')
  return { gstin, legal_name: legalName, ...(fields.state === undefined ? {} : { state: fields.state }) }
}

test('a company is linked to the registration of the same legal name in its own state', async () => {
  const gst = [registration(1, 'SAMPLE FOODS PRIVATE LIMITED')]
  expect(await linksOf({ gst })).toEqual(gst.map(({ gstin }) => gstin))
})

test.each([
  'SAMPLE FOODS PVT LTD',
  'SAMPLE FOODS PVT. LTD.',
  'SAMPLE FOODS PRIVATE LTD',
  'SAMPLE FOODS (P) LTD',
  'SAMPLE FOODS (P) LTD.',
  'SAMPLE FOODS (P) LIMITED',
])('the legal form may be abbreviated: %s', async (legalName) => {
  const gst = [registration(100 + serial, legalName)]
  expect(await linksOf({ gst })).toHaveLength(1)
})

test('a company whose own name is abbreviated is linked as well', async () => {
  const gst = [registration(201, 'SAMPLE FOODS PRIVATE LIMITED')]
  expect(await linksOf({ company: { name: 'SAMPLE FOODS PVT. LTD.' }, gst })).toHaveLength(1)
  const other = [registration(202, 'SAMPLE FOODS PRIVATE LIMITED')]
  expect(await linksOf({ company: { name: 'SAMPLE FOODS (P) LTD.' }, gst: other })).toHaveLength(1)
})

test('the PAN of that registration brings the registrations in other states', async () => {
  const gst = [
    registration(301, 'SAMPLE FOODS PRIVATE LIMITED'),
    registration(301, 'SAMPLE FOODS PRIVATE LIMITED', { code: '27', state: 'Maharashtra' }),
  ]
  expect(await linksOf({ gst })).toEqual(gst.map(({ gstin }) => gstin).sort())
})

test('an LLP is linked by a PAN of a firm', async () => {
  const company = { name: 'SAMPLE FOODS LLP', company_type: 'LLP' }
  expect(await linksOf({ company, gst: [registration(401, 'SAMPLE FOODS LLP', { letter: 'F' })] })).toHaveLength(1)
  expect(await linksOf({ company, gst: [registration(402, 'SAMPLE FOODS LLP')] })).toEqual([])
})

test('an LLP may be named by its legal form in full', async () => {
  const inFull = 'SAMPLE FOODS LIMITED LIABILITY PARTNERSHIP'
  const company = { name: 'SAMPLE FOODS LLP', company_type: 'LLP' }
  expect(await linksOf({ company, gst: [registration(403, inFull, { letter: 'F' })] })).toHaveLength(1)
  const full = { name: inFull, company_type: 'LLP' }
  expect(await linksOf({ company: full, gst: [registration(404, 'SAMPLE FOODS LLP', { letter: 'F' })] })).toHaveLength(
    1,
  )
})

test.each<[string, World]>([
  [
    'only another state has the name',
    { gst: [registration(501, 'SAMPLE FOODS PRIVATE LIMITED', { state: 'Kerala' })] },
  ],
  [
    'the state of the company is unknown',
    { company: { state: null }, gst: [registration(502, 'SAMPLE FOODS PRIVATE LIMITED')] },
  ],
  ['the legal form differs', { gst: [registration(503, 'SAMPLE FOODS LIMITED')] }],
  ['the name differs by a word', { gst: [registration(504, 'SAMPLE FOODS INDIA PRIVATE LIMITED')] }],
  ['the PAN is a person', { gst: [registration(505, 'SAMPLE FOODS PRIVATE LIMITED', { letter: 'P' })] }],
  [
    'two PANs bear the name',
    { gst: [registration(506, 'SAMPLE FOODS PRIVATE LIMITED'), registration(507, 'SAMPLE FOODS PRIVATE LIMITED')] },
  ],
  [
    'another company bears the name',
    { others: [{ name: 'SAMPLE FOODS PRIVATE LIMITED' }], gst: [registration(508, 'SAMPLE FOODS PRIVATE LIMITED')] },
  ],
])('there is no link where %s', async (_, world) => {
  expect(await linksOf(world)).toEqual([])
})

test('a company is linked under a new CIN, although its former one bears the same name', async () => {
  const gst = [registration(601, 'SAMPLE FOODS PRIVATE LIMITED')]
  const former = { name: 'SAMPLE FOODS PRIVATE LIMITED' }
  expect(await linksOf({ others: [{ ...former, closed_on: '2025-10-01' }], gst })).toHaveLength(1)
  expect(await linksOf({ isSuccessor: true, others: [former], gst: [registration(602, former.name)] })).toHaveLength(1)
  const further = [former, { ...former, closed_on: null }]
  expect(await linksOf({ isSuccessor: true, others: further, gst: [registration(603, former.name)] })).toEqual([])
})

test('the links of an order are found through the index of legal names', async () => {
  const plan = await database.db.transaction(async (tx) => {
    await tx.execute('SET LOCAL enable_seqscan = off')
    return tx.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT FROM registry.gst_taxpayer AS namesake
       WHERE lower(namesake.legal_name) = ANY (ARRAY['a', 'b']) AND substr(namesake.pan, 4, 1) IN ('C', 'F')`,
    )
  })
  expect(JSON.stringify(plan)).toContain('gst_legal_name')
})
