/**
 * A small register with data for every endpoint: one company with its director and GST registration, contacts, codes
 * and feed rows. Written as ingest writes it; calling it twice on one database violates the keys.
 */
import { randomUUID } from 'node:crypto'
import { plans } from '../../config/sales.ts'
import { sampleSeller } from '../../config/seller.ts'
import { grantEntitlement } from '../../src/access/grants.ts'
import { exampleRecords } from '../../src/api/example-records.ts'
import type { Db } from '../../src/db/db.ts'
import { entityTypes } from '../../src/domain/identity.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { issueInvoice } from '../../src/orders/invoices/issue-invoice.ts'
import { grantCredits, refundItems } from '../../src/orders/ledger.ts'
import { bookOverpaid } from '../../src/orders/ledger-money.ts'
import { giveTerm } from '../../src/orders/subscriptions/buy-term.ts'
import type { LoggedIn, TestApi } from './api.ts'
import { addRegistrations } from './registrations.ts'
import { insertCompany, insertDirector, insertDirectorship, insertGst } from './registry-rows.ts'

export const known = {
  cin: 'U85100GA2022PTC015001',
  llpin: 'AAC-3965',
  din: '00012345',
  gstin: '27AAACR5055K1Z7',
  /** Well formed, in no register. */
  missing: { cin: 'U85100GA2022PTC999999', din: '99999999', gstin: '29AAICA3918J1ZE' },
  uuid: '00000000-0000-4000-8000-000000000000',
} as const

export async function fillRegisters(db: Db): Promise<void> {
  const place = { city: 'Panaji', district: 'North Goa', state: 'Goa', pincode: '403001' }
  const feed = { state: 'Goa', district: 'North Goa', pincode: '403001' }
  for (const type of entityTypes) {
    const days = Array.from({ length: 25 }, (_, index) => `2024-04-${String(index + 1).padStart(2, '0')}`)
    await addRegistrations(
      db,
      type,
      days.map((registeredOn) => ({ ...feed, registeredOn })),
    )
  }
  await insertCompany(db, {
    cin: known.cin,
    name: 'KONKAN PETRO LIMITED',
    status: 'Active',
    class: 'Public',
    category: 'Company limited by shares',
    incorporated_on: '2024-05-01',
    authorised_capital: 1_000_000,
    paid_up_capital: 500_000,
    registered_address: '12 Fontainhas, Panaji',
    email: 'office@example.in',
    nic_code: 1110,
    nic_vintage: 2008,
    nic_description: 'Growing of cereals',
    main_division: '01',
    main_division_description: 'Crop and animal production',
    ...place,
  })
  await insertCompany(db, { cin: known.llpin, name: 'MANDOVI PARTNERS LLP', company_type: 'LLP', status: 'Active' })
  await insertGst(db, {
    gstin: known.gstin,
    pan: 'AAACR5055K',
    legal_name: 'KONKAN PETRO LIMITED',
    trade_name: 'KONKAN PETRO',
    status: 'Active',
    taxpayer_type: 'Regular',
    constitution: 'Public Limited Company',
    registered_on: '2024-05-01',
    address: 'Harbour House',
    core_business: 'MFT',
    business_activities: ['Wholesale Business', 'Export'],
    hsn_codes: ['0902', '8471'],
    sac_codes: ['998313'],
    city: 'Mumbai',
    district: 'Mumbai',
    state_code: '27',
    state: 'Maharashtra',
    pincode: '400020',
  })
  await insertDirector(db, {
    din: known.din,
    full_name: 'ASHA RAMESH KAMAT',
    first_name: 'ASHA',
    middle_name: 'RAMESH',
    last_name: 'KAMAT',
    status: 'Approved',
    approved_on: '2024-05-01',
    disqualified: 'No',
    nationality: 'Indian',
    gender: 'Female',
    citizen_of_india: 'Yes',
    resident_of_india: 'Yes',
    born_on: '1980-02-14',
    address: '12 Fontainhas',
    country: 'India',
    ...place,
  })
  const appointed = { cin: known.cin, din: known.din, designation: 'Director', appointed_on: '2022-11-23' }
  await insertDirectorship(db, { ...appointed, ceased_on: null })
  await insertContacts(db)
  await insertCodes(db)
}

/** The records that the examples of the OpenAPI document name. */
export async function addExampleRecords(db: Db): Promise<void> {
  const { cin, gstin, din, companyName, tradeName } = exampleRecords
  await insertCompany(db, { cin, name: companyName, state: 'Goa' })
  await insertGst(db, { gstin, legal_name: tradeName, trade_name: tradeName, state: 'Goa' })
  await insertDirector(db, { din, full_name: 'A DIRECTOR' })
}

async function insertContacts(db: Db): Promise<void> {
  await db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, email, mobile, first_run_id, last_run_id, as_of)
     SELECT entity || ':' || identifier, entity, identifier, 'reach@example.in', '+919812345678', 1, 1, '2025-01-01'
     FROM unnest($1::text[], $2::text[]) AS c(entity, identifier)`,
    [
      ['company', 'director', 'gst'],
      [known.cin, known.din, known.gstin],
    ],
  )
}

async function insertCodes(db: Db): Promise<void> {
  await db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of)
     SELECT '09' || lpad(n::text, 6, '0'), 'Tea, kind ' || n, 9, 'II', 1, 1, '2025-01-01' FROM generate_series(1, 60) AS n
     UNION ALL VALUES ('0902', 'Tea, whether or not flavoured', 9::smallint, 'II', 1, 1, '2025-01-01'::date),
       ('8471', 'Data processing machines', 84, 'XVI', 1, 1, '2025-01-01')`,
  )
  await db.execute(
    `INSERT INTO reference.sac (code, description, first_run_id, last_run_id, as_of)
     VALUES ('998313', 'Information technology consulting', 1, 1, '2025-01-01')`,
  )
  await db.execute(
    `INSERT INTO reference.nic (id, vintage, code, level, section, division, description, first_run_id, last_run_id, as_of)
     SELECT '2008:' || code, 2008, code, 'sub-class', 'A', 1, 'Growing of cereals ' || code, 1, 1, '2025-01-01'
     FROM (SELECT lpad((1110 + n)::text, 5, '0') AS code FROM generate_series(0, 59) AS n) AS codes`,
  )
}

/** All three feeds, nationwide, for as long as the account lives. */
export async function openFeeds(db: Db, accountId: string): Promise<void> {
  for (const dataset of entityTypes) {
    await grantEntitlement(db, { accountId, dataset, grantedBy: 'subscription' })
  }
}

export async function addCredits(db: Db, accountId: string, credits: number): Promise<void> {
  await db.transaction((tx) => grantCredits(tx, accountId, credits, `grant:${accountId}`))
}

export const orderBody = {
  orderName: 'Pilot',
  paymentOption: 'credits',
  items: [
    { type: 'company', name: 'Konkan Petro', number: known.cin },
    { type: 'director', name: 'Asha Kamat', number: known.din },
    { type: 'gst', name: 'Konkan Petro', number: known.gstin },
  ],
}

/** A finished run, for reads of runs. */
export async function finishedRun(db: Db): Promise<string> {
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('mca-companies', 'a.csv', 'snapshot', '2025-10-01', 'no_op')
     RETURNING run_id AS id`,
  )
  return String(run?.id)
}

/** An applied run that changed nothing. */
export async function appliedRun(db: Db): Promise<string> {
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('nic', 'a.csv', 'snapshot', '2025-10-01', 'succeeded')
     RETURNING run_id AS id`,
  )
  return String(run?.id)
}

const emptyPreview = {
  ...{ reasons: ['the file holds 0 records'], inserted: 0, updated: 0, unchanged: 0, skipped: 0, closed: 0 },
  scopes: [],
  sample: { inserted: [], updated: [], closed: [] },
}

/** A run that needs approval. */
export async function waitingRun(db: Db): Promise<string> {
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, preview)
     VALUES ('nic', 'a.csv', 'snapshot', '2025-10-01', 'needs_approval', $1) RETURNING run_id AS id`,
    [JSON.stringify(emptyPreview)],
  )
  return String(run?.id)
}

/** A dry run of an address, which can be applied. */
export async function previewedRun(db: Db): Promise<string> {
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, dry_run, preview, finished_at)
     VALUES ('nic', 'https://publisher.example.invalid/a.csv', 'snapshot', '2025-10-01', 'previewed', true, $1, now())
     RETURNING run_id AS id`,
    [JSON.stringify(emptyPreview)],
  )
  return String(run?.id)
}

/** A paid order whose leads are built, as the worker leaves it. */
export async function paidOrder(db: Db, api: TestApi, { token }: LoggedIn): Promise<string> {
  const reply = await api.post('/api/orders/normal', token, orderBody)
  if (reply.statusCode !== 201) throw new Error(`the order answered ${reply.statusCode}: ${reply.body}`)
  const { _id: orderId } = reply.json<{ _id: string }>()
  await buildLeads(db, { orderId, leadSource: 'Panji', refund: refundItems })
  return orderId
}

/** An order that awaits an online payment, as a configured processor would leave it. */
export async function pendingOrder(db: Db, accountId: string, items = 1): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
     VALUES ($1, 'Waiting', 'online', 'pending', 'pending', $2::integer, $2::integer) RETURNING order_id AS id`,
    [accountId, items],
  )
  if (!row) throw new Error('no order')
  await db.execute(
    `INSERT INTO orders.item (order_id, position, type, identifier, name)
     SELECT $1, n, 'company', left($2::text, -6) || lpad((right($2::text, 6)::integer + n)::text, 6, '0'), 'Konkan' FROM generate_series(0, $3 - 1) AS n`,
    [row.id, known.cin, items],
  )
  return row.id
}

/** A pack of credits that awaits its payment. */
export async function pendingPurchase(db: Db, accountId: string): Promise<string> {
  const [made] = await db.query<{ id: string }>(
    `INSERT INTO orders.checkout (checkout_id, account_id, product, credits, valid_days, amount)
     VALUES (gen_random_uuid(), $1, 'credits-100', 100, 365, 118000) RETURNING checkout_id AS id`,
    [accountId],
  )
  if (!made) throw new Error('no purchase')
  return made.id
}

/** @returns the id of a subscription given by an operator. */
export function givenSubscription(db: Db, accountId: string): Promise<string> {
  const given = { planId: plans[0].id, reference: randomUUID(), actor: 'operator' } as const
  return db.transaction((tx) => giveTerm(tx, accountId, given))
}

/** @returns the number of an invoice for a pack of credits. */
export function issuedInvoice(db: Db, accountId: string): Promise<string> {
  const sold = { accountId, description: '100 credits', net: 100_000, tax: 18_000 }
  return db.transaction((tx) => issueInvoice(tx, sampleSeller, { ...sold, reference: `payment:test:${randomUUID()}` }))
}

/** An account that was refunded more than it paid. */
export async function owingAccount(db: Db, accountId: string): Promise<string> {
  const over = { reference: `refund:${accountId}`, paise: 59_000, memo: 'given back twice' }
  await db.transaction((tx) => bookOverpaid(tx, accountId, over))
  return accountId
}

/** @returns the number of a payment notice that matches no order, which needs an operator. */
export async function openPaymentEvent(db: Db): Promise<string> {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO orders.payment_event (provider, source, name, outcome, payment_order_id, amount, currency)
     VALUES ('razorpay', 'webhook', 'payment.captured', 'unknown_order', 'order_' || gen_random_uuid(), 99900, 'INR')
     RETURNING event_id AS id`,
  )
  return String(row?.id)
}

/** @returns the id of an alert channel. */
export async function alertChannel(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO runtime.alert_channel (kind, shown, address_encrypted, origin, created_by)
     VALUES ('mail', 'a…@example.in', '', 'console', 'operator:default') RETURNING channel_id AS id`,
  )
  return row?.id ?? ''
}

/** @returns the id of a notification that a channel did not accept. */
export async function failedAlert(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO runtime.alert_message (channel_id, body, state)
     VALUES ($1, '{"test": true, "opened": [], "resolved": []}', 'failed') RETURNING message_id AS id`,
    [await alertChannel(db)],
  )
  return row?.id ?? ''
}

/** Resets all daily and burst limits, for tests that send more than a plan allows. */
export async function resetLimits(db: Db): Promise<void> {
  await db.execute('DELETE FROM access.daily_usage')
  await db.execute('DELETE FROM access.minute_usage')
  await db.execute('DELETE FROM access.login_failure')
}

/** An active standing order of the account, with a run that needs approval. */
export async function waitingStanding(db: Db, accountId: string): Promise<string> {
  await db.execute(`UPDATE orders.standing_order SET state = 'ended' WHERE account_id = $1`, [accountId])
  const [made] = await db.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO orders.standing_order (account_id, name, state, state_by, active_since, buys, budget_day, budget_month, budget_run)
       VALUES ($1::uuid, 'New in Goa', 'active', 'account:' || $1::uuid, now(), true, 10, 100, 10) RETURNING standing_order_id
     ), asked AS (
       INSERT INTO orders.standing_query (standing_order_id, version, source, type, query, has_mobile, has_email, active_only, created_by)
       SELECT standing_order_id, 1, 'screener', 'company', $2, false, false, false, 'account:' || $1::uuid FROM made
     ), waiting AS (
       INSERT INTO orders.standing_run (standing_order_id, version, state, reason, matches)
       SELECT standing_order_id, 1, 'needs_approval', 'first_run', 1 FROM made
     )
     SELECT standing_order_id AS id FROM made`,
    [accountId, "State == 'Goa'"],
  )
  return made?.id ?? ''
}
