/** From money to credits, to an order, its repeat, a dispute, back to money, and through the life of a plan: every balance on the way, in both currencies. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPaymentSandbox } from '../../sandboxes/razorpay/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { closeLedgerDay } from '../../src/orders/close-ledger-day.ts'
import { razorpay } from '../../src/orders/payments/razorpay.ts'
import { keepSubscriptions } from '../../src/orders/subscriptions/keep-subscriptions.ts'
import { buildTestServer, newCustomer, operatorToken, recordJobs, useApi } from '../support/api.ts'
import { fillRegisters, orderBody } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { letDaysPass, razorpaySettingsOf } from '../support/payment-world.ts'

const database = useTestDatabase()
const api = useApi(database)
const box = createPaymentSandbox()
let running: RunningSandboxes
let app: Awaited<ReturnType<typeof buildTestServer>>
let basic = ''

beforeAll(async () => {
  await fillRegisters(database.db)
  running = await startSandboxes([box], { port: 0 })
  const processor = razorpaySettingsOf(running)
  basic = Buffer.from(`${processor.keyId}:${processor.keySecret.reveal()}`).toString('base64')
  const payments = razorpay(processor)
  const settings = { leadSource: 'Panji', onlineLabel: 'online', payments }
  app = await buildTestServer(database, recordJobs(), [], { settings })
  await app.listen({ host: '127.0.0.1', port: 0 })
  box.notifyAt?.(`${app.listeningOrigin}/webhooks/payments`)
})
afterAll(async () => {
  await app.close()
  await running.close()
})

async function books(): Promise<Record<string, number>> {
  const rows = await database.db.query<{ kind: string; amount: number }>(
    `SELECT kind, sum(amount)::bigint AS amount FROM ledger.account JOIN ledger.entry USING (ledger_account_id)
     GROUP BY kind HAVING sum(amount) <> 0 ORDER BY kind`,
  )
  expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}

test('a pack of credits is bought, spent, disputed and given back, a plan is bought, renewed and cancelled, and each step leaves the ledger in order', async () => {
  const buyer = await newCustomer(api, database)
  const headers = { authorization: `Bearer ${buyer.token}` }
  const get = (url: string) => app.inject({ url, headers })
  const post = (url: string, payload: object = {}) => app.inject({ method: 'POST', url, headers, payload })
  /** What the account is shown, wherever it is shown. */
  const balance = async () => {
    const { credit_balance: shown } = (await get('/api/users/me')).json<{ credit_balance: number }>()
    const { credits } = (await get('/api/access')).json<{ credits: { balance: number }[] }>()
    const [newest] = (await get('/api/credits/ledger?limit=1')).json<{ data: { balance_after: number }[] }>().data
    expect([credits.reduce((sum, { balance: of }) => sum + of, 0), newest?.balance_after ?? 0]).toEqual([shown, shown])
    return shown
  }

  // The pack: 100 credits for INR 1,180.
  const [pack] = (await get('/api/credits/packs')).json().data
  expect(pack).toMatchObject({ id: 'credits-100', credits: 100, amount: 118_000, net: 100_000, tax: 18_000 })
  const bought = await post('/api/credits/purchase', {
    pack_id: pack.id,
    billing: { legal_name: 'Asha Data LLP', address: '1 MG Road, Pune 411001', place_of_supply: '27' },
  })
  expect([bought.statusCode, bought.json().status, await balance()]).toEqual([201, 'pending', 0])
  const paid = await box.pay(bought.json().payment.id)
  expect([await balance(), (await get(`/api/credits/purchases/${bought.json().purchase_id}`)).json().status]).toEqual([
    100,
    'paid',
  ])
  expect(await books()).toEqual({
    ...{ credits: 100, issued: -100 },
    ...{ payments: 115_215, fees: 2_360, fee_taxes: 425, taxes: -18_000, unearned: -100_000 },
  })
  const [invoice] = (await get('/api/invoices')).json().data
  expect(invoice).toMatchObject({ kind: 'invoice', net: 100_000, igst: 18_000, cgst: 0, sgst: 0, total: 118_000 })
  expect([invoice.place_of_supply, invoice.number]).toEqual(['27', expect.stringMatching(/^PI-\d{4}-0000001$/)])
  const pdf = await get(`/api/invoices/${invoice.number}/pdf`)
  expect([pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])

  // The order: three records for three credits; bought again, they cost nothing.
  const order = await post('/api/orders/normal', orderBody)
  expect([order.statusCode, order.json().total_amount, await balance()]).toEqual([201, 3, 97])
  const again = await post('/api/orders/normal', orderBody)
  expect([again.statusCode, again.json().total_amount, await balance()]).toEqual([201, 0, 97])

  // One contact was bad: the operator gives its credit back.
  const orderId = order.json()._id
  const dispute = await post(`/api/orders/${orderId}/items/0/dispute`, { reason: 'bounced' })
  const decided = await api.post(`/admin/disputes/${dispute.json().dispute_id}/decide`, operatorToken, {
    decision: 'accept',
    reason: 'called them',
  })
  expect([dispute.statusCode, decided.statusCode]).toEqual([201, 200])
  expect(await balance()).toBe(98)

  // At night what was spent is earned.
  await closeLedgerDay(database.as('panji_worker'))
  expect(await books()).toEqual({
    ...{ credits: 98, issued: -100, sales: 2 },
    ...{ payments: 115_215, fees: 2_360, fee_taxes: 425, taxes: -18_000, unearned: -98_000, earned: -2_000 },
  })

  // Half of the money goes back, with half of the credits and a credit note.
  const refund = await fetch(`${running.baseUrl('razorpay')}/v1/payments/${paid?.id}/refund`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: JSON.stringify({ amount: 59_000 }),
  })
  expect([refund.status, await balance()]).toEqual([200, 48])
  expect(await books()).toEqual({
    ...{ credits: 48, issued: -50, sales: 2 },
    ...{ payments: 56_215, fees: 2_360, fee_taxes: 425, taxes: -9_000, unearned: -48_000, earned: -2_000 },
  })
  const [note] = (await get('/api/invoices')).json().data
  expect(note).toMatchObject({ kind: 'credit_note', against: invoice.number, net: 50_000, igst: 9_000, total: 59_000 })

  // A plan for INR 3,540: its term, its credits and its invoice come with the payment.
  const held = async () => (await get('/api/subscriptions')).json().data[0]
  const details = async () => (await get('/api/users/me')).json().api_usage.detail_daily_limit
  const begun = await post('/api/plans/premium-month/buy', { payment_option: 'online' })
  expect([await details(), begun.statusCode, await balance(), await held()]).toEqual([100, 201, 48, undefined])
  await box.pay(begun.json().purchase.payment.id)
  expect([await balance(), (await held()).status, await details()]).toEqual([148, 'active', 1000])
  expect(await books()).toEqual({
    ...{ credits: 148, issued: -150, sales: 2 },
    ...{ payments: 401_861, fees: 9_440, fee_taxes: 1_699, taxes: -63_000, unearned: -348_000, earned: -2_000 },
  })

  // Renewed before its end it goes on from there, with an invoice of its own; cancelled, it goes on to that end.
  const { subscription_id: id } = await held()
  const renewal = await post(`/api/subscriptions/${id}/renew`, { payment_option: 'online' })
  await box.pay(renewal.json().purchase.payment.id)
  expect([renewal.statusCode, await balance(), (await held()).terms.length]).toEqual([201, 248, 2])
  const cancelled = await post(`/api/subscriptions/${id}/cancel`)
  expect([cancelled.statusCode, cancelled.json().open_until]).toEqual([200, (await held()).ends_at])
  const inTheEnd = {
    ...{ payments: 747_507, fees: 16_520, fee_taxes: 2_973, taxes: -117_000 },
  }
  expect([await balance(), await books()]).toEqual([
    248,
    { ...inTheEnd, credits: 248, issued: -250, sales: 2, unearned: -648_000, earned: -2_000 },
  ])

  // Its days pass: the credits of the plan lapse, and its money is earned.
  await letDaysPass(database, buyer.accountId, 61)
  await keepSubscriptions(database.as('panji_trade'))
  await closeLedgerDay(database.as('panji_worker'))
  expect([await balance(), (await held()).status, await details()]).toEqual([48, 'ended', 100])
  expect(await books()).toEqual({
    ...inTheEnd,
    ...{ credits: 48, issued: -250, sales: 2, lapsed: 200, unearned: -48_000, earned: -602_000 },
  })
  const papers = (await get('/api/invoices')).json<{ data: { kind: string; number: string; total: number }[] }>().data
  expect(papers.map(({ kind, total }) => [kind, total])).toEqual([
    ...[
      ['invoice', 354_000],
      ['invoice', 354_000],
    ],
    ...[
      ['credit_note', 59_000],
      ['invoice', 118_000],
    ],
  ])
  expect(papers.flatMap(({ kind, number }) => (kind === 'invoice' ? number.slice(-7) : []))).toEqual([
    '0000003',
    '0000002',
    '0000001',
  ])
})
