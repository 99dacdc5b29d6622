/** Hand-written register rows and accounts for the tests of orders and leads. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import type { Db, Queryable } from '../../../src/db/db.ts'
import { gstinCheckDigit } from '../../../src/domain/gstin.ts'
import { issueInvoice } from '../../../src/orders/invoices/issue-invoice.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'

export async function insertRow(db: Queryable, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = Object.keys(row)
  await db.execute(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
}

const bookkeeping = { first_run_id: 1, last_run_id: 7, as_of: '2026-06-01' }

type Fields = Readonly<Record<string, unknown>>

export const insertCompany = (db: Queryable, cin: string, fields: Fields = {}) =>
  insertRow(db, 'registry.company', {
    cin,
    company_type: 'Company',
    name: `COMPANY ${cin}`,
    name_key: `company ${cin.toLowerCase()}`,
    ...bookkeeping,
    ...fields,
  })

export const insertGst = (db: Queryable, gstin: string, fields: Fields = {}) =>
  insertRow(db, 'registry.gst_taxpayer', {
    gstin,
    kind: 'normal',
    pan: gstin.slice(2, 12),
    legal_name: `TAXPAYER ${gstin}`,
    name_key: `taxpayer ${gstin.toLowerCase()}`,
    state_code: gstin.slice(0, 2),
    ...bookkeeping,
    ...fields,
  })

export const insertDirector = (db: Queryable, din: string, fields: Fields = {}) =>
  insertRow(db, 'registry.director', {
    din,
    full_name: `PERSON ${din}`,
    name_key: `person ${din}`,
    ...bookkeeping,
    ...fields,
  })

export const insertDirectorship = (db: Queryable, cin: string, din: string, fields: Fields = {}) => {
  const all = { designation: 'Director', appointed_on: '2020-01-01', ...fields }
  return insertRow(db, 'registry.directorship', {
    id: `${cin}|${din}|${all.designation}|${all.appointed_on}`,
    cin,
    din,
    ...bookkeeping,
    ...all,
  })
}

export const insertContact = (db: Queryable, entity: string, identifier: string, fields: Fields) =>
  insertRow(db, 'registry.contact', { id: `${entity}:${identifier}`, entity, identifier, ...bookkeeping, ...fields })

/** A valid GSTIN of the normal kind: state 27 unless told, PAN letter C unless told. */
export function gstinOf(serial: number, state = '27', panLetter = 'C'): string {
  const first14 = `${state}AAA${panLetter}P${String(serial).padStart(4, '0')}K1Z`
  return first14 + gstinCheckDigit(first14)
}

export function cinOf(serial: number): string {
  return `U85100GA2022PTC${String(serial).padStart(6, '0')}`
}

let accounts = 0

export async function createAccount(db: Db, credits = 0): Promise<string> {
  accounts += 1
  const email = `buyer-${accounts}@example.in`
  const [row] = await db.query<{ account_id: string }>(
    `INSERT INTO access.account (email, username, billing)
     VALUES ($1, $1, '{"legalName": "Mandovi Trading LLP", "address": "Panaji 403001", "placeOfSupply": "30", "gstin": null}')
     RETURNING account_id`,
    [email],
  )
  if (!row) throw new Error('no account')
  if (credits > 0) {
    await db.transaction((tx) => grantCredits(tx, row.account_id, credits, `grant:${row.account_id}`))
  }
  return row.account_id
}

/** The real queue on the test database, without its supervisor: jobs stay where they were put. */
export function useTestQueue(url: () => string): { readonly queue: QueueHandle } {
  let queue: QueueHandle | undefined
  beforeAll(async () => {
    queue = await startQueue({
      connectionString: url(),
      role: 'panji_worker',
      supervise: false,
      onError: (error) => {
        throw error
      },
    })
  })
  afterAll(async () => {
    await queue?.stop()
  })
  return {
    get queue(): QueueHandle {
      if (!queue) throw new Error('the queue exists only inside tests and hooks')
      return queue
    },
  }
}

export async function buildJobsOf(db: Queryable, orderId: string): Promise<number> {
  const rows = await db.query(`SELECT FROM pgboss.job WHERE name = 'build-leads' AND data->>'orderId' = $1`, [orderId])
  return rows.length
}

/** A payment that came and was invoiced, for credits of which nothing is booked yet. @returns the reference that they are sold under. */
export async function takenPayment(
  db: Db,
  accountId: string,
  { paymentId, credits, net, tax }: { paymentId: string; credits: number; net: number; tax: number },
): Promise<string> {
  const reference = `payment:test:${paymentId}`
  await db.transaction(async (tx) => {
    const checkoutId = randomUUID()
    const kept = { account_id: accountId, product: 'test', credits, amount: net + tax, status: 'paid' }
    await insertRow(tx, 'orders.checkout', { checkout_id: checkoutId, ...kept })
    const payment = {
      provider: 'test',
      payment_id: paymentId,
      checkout_id: checkoutId,
      amount: net + tax,
      currency: 'INR',
    }
    await insertRow(tx, 'orders.payment', payment)
    const { checkout_id: _, ...told } = payment
    await insertRow(tx, 'orders.payment_event', { ...told, source: 'webhook', name: 'paid', outcome: 'paid' })
    await issueInvoice(tx, sampleSeller, { accountId, reference, description: 'test', net, tax })
  })
  return reference
}
