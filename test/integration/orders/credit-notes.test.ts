/**
 * Money that goes back over months: by operators, in the processor's own dashboard and by banks, in parts of any size, of buyers in many
 * states, before and after months are closed. Documents, ledger and the accountant's files of each month are added up beside what was paid.
 */
import { beforeAll, expect, test } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { type LoggedIn, newCustomer, operatorToken, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { drawOf } from '../../support/draw.ts'
import { figure } from '../../support/figures.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { readPdf } from '../../support/pdf-text.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const monthBefore = (name: string) => {
  const [year = 0, number = 0] = name.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}
const third = indianDayOf(new Date()).slice(0, 7)
const second = monthBefore(third)
const first = monthBefore(second)
const operator = { token: operatorToken }

interface Sale {
  readonly customer: LoggedIn
  readonly payment: string
  readonly paise: number
  readonly isInState: boolean
  readonly backs: { readonly paise: number; readonly month: string; readonly isBank: boolean }[]
}

/** What was written since the month before began happened in that month, each buyer at a moment of it. */
async function happenedIn(month: string): Promise<void> {
  const moved = (column: string, id: string) =>
    `${column} = runtime.indian_midnight('${month}-01') + make_interval(mins => (${id} % 38000)::integer)`
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    const since = `runtime.indian_midnight('${third}-01')`
    await tx.execute(
      `UPDATE ledger.transfer SET ${moved('created_at', 'transfer_id')} WHERE created_at >= ${since} AND kind <> 'grant'`,
    )
    await tx.execute(`UPDATE orders.invoice SET ${moved('issued_at', 'serial')} WHERE issued_at >= ${since}`)
  })
}

const states = ['30', '27', '04', '29', '97', '30'] as const
async function buyIn(state: string, what: number): Promise<Sale> {
  const customer = await newCustomer(api, database)
  const billing = {
    ...{ legal_name: 'Godavari Data LLP', address: '1 Main Road', place_of_supply: state },
    ...(state === '29' && { gstin: '29AAGCB7383J1Z4' }),
  }
  const set = await world.call('PUT', '/api/users/me/billing', customer, billing)
  expect(set.statusCode).toBe(200)
  const asked = [
    ['/api/credits/purchase', { pack_id: 'credits-100' }],
    ['/api/credits/purchase', { pack_id: 'credits-2500' }],
    ['/api/plans/premium-month/buy', { payment_option: 'online' }],
    ['/api/offers/recent-gst-30/buy', { payment_option: 'online' }],
    ['/api/orders/normal', { ...orderBody, paymentOption: 'online' }],
  ] as const
  const [url, body] = asked[what % asked.length] ?? asked[0]
  const reply = (await world.call('POST', url, customer, body)).json()
  const { id, amount } = (reply.purchase ?? reply).payment
  const paid = await world.box.pay(id)
  // Some of what was bought with a pack is used before any of it goes back.
  if (what % 5 === 0) {
    const order = await world.call('POST', '/api/orders/normal', customer, orderBody)
    expect(order.statusCode).toBe(201)
  }
  return { customer, payment: paid?.id ?? '', paise: amount, isInState: state === '30', backs: [] }
}

const backOf = ({ backs }: Sale) => backs.reduce((sum, { paise }) => sum + paise, 0)

async function goBack(sale: Sale, month: string, way: number, part: number, at: number): Promise<void> {
  const left = sale.paise - backOf(sale)
  const isBank = way === 2
  // A bank takes any sum, the processor gives back a rupee at least; a sale is disputed once.
  if (left < 200 || (isBank && sale.backs.some((back) => back.isBank))) return
  const asked = Math.floor((left * part) / 100)
  const paise = part === 100 || asked > left - 100 ? left : Math.max(isBank ? 1 : 100, asked)
  if (way === 0) {
    const body = { of: sale.payment, amount: paise, reference: `back-${at}`, reason: 'asked for' }
    const reply = await world.call('POST', '/admin/payments/refund', operator, body)
    expect([reply.statusCode, reply.json().status]).toEqual([200, 'made'])
  } else if (isBank) await world.box.dispute(sale.payment, 'lost', part === 1 ? 1 : paise)
  else expect(await world.refund(sale.payment, paise)).toBe(200)
  sale.backs.push({ paise: isBank && part === 1 ? 1 : paise, month, isBank })
}

type Document = Record<'net' | 'cgst' | 'sgst' | 'igst' | 'total', number> &
  Record<'number' | 'kind' | 'issued_at', string> & { readonly against: string | null }
const documentsOf = async ({ customer }: Sale): Promise<Document[]> =>
  (await world.call('GET', '/api/invoices?limit=100', customer)).json().data
const taxOf = ({ cgst, sgst, igst }: Document) => cgst + sgst + igst
const monthOf = ({ issued_at }: Document) => indianDayOf(new Date(issued_at)).slice(0, 7)

const reportOf = async (month: string) => (await api.get(`/admin/ledger/months/${month}`, operatorToken)).json()
async function fileOf(month: string, part: string): Promise<Record<string, string>[]> {
  const reply = await api.get(`/admin/ledger/months/${month}/export?part=${part}`, operatorToken)
  const [head = '', ...lines] = reply.body.trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell])))
}
const paiseOf = (rupees = '0') => Math.round(Number(rupees) * 100)
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

test('over months that close, invoices less credit notes are what was paid less what went back, in documents, ledger and files alike', {
  timeout: 600_000,
}, async () => {
  const draw = drawOf(53)
  const sales: Sale[] = []
  for (let each = 0; each < figure(15, 60); each++) sales.push(await buyIn(draw.of(states) ?? '30', each))
  let at = 0
  const someGoBack = async (month: string, often: number) => {
    for (const sale of sales)
      for (let times = draw.below(often); times > 0; times--)
        await goBack(sale, month, draw.below(3), draw.of([1, 7, 33, 50, 51, 100]) ?? 1, at++)
  }
  await someGoBack(first, 2)
  await happenedIn(first)
  await someGoBack(second, 3)
  await happenedIn(second)
  for (const month of [first, second])
    expect(
      (await api.post(`/admin/ledger/months/${month}/close`, operatorToken, { reason: 'a test' })).statusCode,
    ).toBe(200)
  const closed = [await reportOf(first), await reportOf(second), await fileOf(first, 'documents')]
  // What is corrected after the close stands in the month that is open.
  await someGoBack(third, 4)
  expect([await reportOf(first), await reportOf(second), await fileOf(first, 'documents')]).toEqual(closed)

  const all: Document[] = []
  for (const sale of sales) all.push(...(await expectDocuments(sale)))
  for (const month of [first, second, third])
    await expectMonth(
      month,
      sales,
      all.filter((each) => monthOf(each) === month),
    )
  const [taxes] = await database.db.query<{ paise: number }>(
    `SELECT (SELECT coalesce(sum(amount), 0) FROM ledger.transfer WHERE from_id = ledger_account_id)
       - (SELECT coalesce(sum(amount), 0) FROM ledger.transfer WHERE to_id = ledger_account_id) AS paise
     FROM ledger.account WHERE kind = 'taxes'`,
  )
  expect(Number(taxes?.paise)).toBe(sum(all.map((each) => (each.kind === 'invoice' ? 1 : -1) * taxOf(each))))
  for (const kind of ['invoice', 'credit_note']) {
    const serials = all.filter((each) => each.kind === kind).map(({ number }) => Number(number.slice(-7)))
    expect(serials.toSorted((one, other) => one - other)).toEqual(serials.map((_, place) => place + 1))
  }
  expect(await world.violations()).toEqual([])
})

async function expectDocuments(sale: Sale): Promise<Document[]> {
  const documents = await documentsOf(sale)
  const invoice = documents.find(({ kind }) => kind === 'invoice')
  const notes = documents.filter(({ kind }) => kind === 'credit_note').toReversed()
  if (!invoice) throw new Error('a sale without an invoice')
  expect(invoice.total).toBe(sale.paise)
  expect(notes.map(({ total, against }) => [total, against])).toEqual(
    sale.backs.map(({ paise }) => [paise, invoice.number]),
  )
  for (const document of documents) {
    expect(document.net + taxOf(document)).toBe(document.total)
    // The tax within it, to the paisa or the next.
    expect(Math.abs(taxOf(document) - (document.total * 18) / 118)).toBeLessThanOrEqual(2)
    expect(sale.isInState ? document.igst : document.cgst + document.sgst).toBe(0)
    await expectPage(sale, document)
  }
  if (backOf(sale) === sale.paise)
    for (const name of ['net', 'cgst', 'sgst', 'igst'] as const)
      expect(sum(notes.map((note) => note[name]))).toBe(invoice[name])
  return documents
}

async function expectPage(sale: Sale, document: Document): Promise<void> {
  const { rawPayload } = await world.call('GET', `/api/invoices/${document.number}/pdf`, sale.customer)
  const { lines } = readPdf(rawPayload)
  const shown = (paise: number) =>
    `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  const { net, cgst, igst, total, against } = document
  expect(lines).toContain(`Number: ${document.number}`)
  if (against) expect(lines).toContain(`Against invoice: ${against}`)
  expect(lines).toContain(`Taxable value: ${shown(net)}`)
  expect(lines).toContain(`Total: ${shown(total)}`)
  expect(lines).toContain(sale.isInState ? `CGST 9%: ${shown(cgst)}` : `IGST 18%: ${shown(igst)}`)
}

/** Of one month: its documents, its journal and its sums, beside what buyers paid and got back. */
async function expectMonth(month: string, sales: readonly Sale[], documents: readonly Document[]): Promise<void> {
  const backs = sales.flatMap((sale) => sale.backs).filter((back) => back.month === month)
  const ofKind = (kind: string) => documents.filter((each) => each.kind === kind)
  const [invoices, notes] = [ofKind('invoice'), ofKind('credit_note')]
  expect(sum(invoices.map(({ total }) => total))).toBe(month === first ? sum(sales.map(({ paise }) => paise)) : 0)
  expect(sum(notes.map(({ total }) => total))).toBe(sum(backs.map(({ paise }) => paise)))
  const report = await reportOf(month)
  expect([report.sold, report.sold_tax]).toEqual([sum(invoices.map(({ net }) => net)), sum(invoices.map(taxOf))])
  expect([report.refunds + report.chargebacks, report.refunds_tax + report.chargebacks_tax]).toEqual([
    sum(notes.map(({ net }) => net)),
    sum(notes.map(taxOf)),
  ])
  expect(report.chargebacks + report.chargebacks_tax).toBe(
    sum(backs.filter(({ isBank }) => isBank).map(({ paise }) => paise)),
  )
  const rows = await fileOf(month, 'documents')
  expect(
    rows.map((row) => [
      row['number'],
      ...['taxable_value', 'cgst', 'sgst', 'igst', 'value'].map((name) => paiseOf(row[name])),
    ]),
  ).toEqual(
    documents
      .toSorted((one, other) =>
        one.kind === other.kind ? (one.number < other.number ? -1 : 1) : one.kind < other.kind ? 1 : -1,
      )
      .map(({ number, net, cgst, sgst, igst, total }) => [number, net, cgst, sgst, igst, total]),
  )
  const journal = await fileOf(month, 'journal')
  const moved = (debit: string, credit: string) =>
    sum(
      journal.filter((row) => row['debit'] === debit && row['credit'] === credit).map((row) => paiseOf(row['amount'])),
    )
  expect([moved('payments', 'taxes'), moved('taxes', 'payments')]).toEqual([
    sum(invoices.map(taxOf)),
    sum(notes.map(taxOf)),
  ])
  expect([moved('payments', 'unearned'), moved('refunds', 'payments')]).toEqual([
    sum(invoices.map(({ net }) => net)),
    sum(notes.map(({ net }) => net)),
  ])
}
