/** Refunds that operators issue: money goes back once, whatever happens between the call and its record. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadFigures } from '../../../src/cli/confirm/confirmed-commands.ts'
import { revokeCredits } from '../../../src/orders/ledger.ts'
import { issueRefund, type RequestedRefund, waitingRefunds } from '../../../src/orders/payments/issue-refund.ts'
import { listEvents } from '../../../src/orders/payments/payment-events.ts'
import type { PaymentEvent, PaymentProcessor } from '../../../src/orders/payments/processor.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { eventOf } from '../../../src/orders/payments/razorpay-notices.ts'
import { eventOriginOf, receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { newCustomer, operatorToken, recordJobs, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters } from '../../support/api-world.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const parts = () => ({
  db: database.as('panji_api'),
  queue: recordJobs(),
  processor: razorpay(world.settings),
})
const refund = (asked: Omit<RequestedRefund, 'reason' | 'actor'>) =>
  asOperator(() => issueRefund(parts(), { ...asked, reason: 'asked for by the buyer', actor: overHttp }))
const given = () => world.box.records().filter(({ object }) => object === 'refund')
const waiting = () => waitingRefunds(database.db, { provider: 'razorpay' }, 10)
const bought = async () => {
  const customer = await newCustomer(api, database)
  const { purchase_id: purchaseId, payment } = (
    await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })
  ).json()
  const paid = await world.box.pay(payment.id)
  const creditsLeft = async () => (await world.call('GET', '/api/users/me', customer)).json().credit_balance
  const documents = async () => (await world.call('GET', '/api/invoices', customer)).json().data
  return { accountId: customer.accountId, purchaseId, paymentId: paid?.id ?? '', creditsLeft, documents }
}

test('a refund in parts takes the credits in proportion, each with its credit note, and no more than came', async () => {
  const { paymentId, purchaseId, creditsLeft, documents } = await bought()
  expect(await refund({ of: paymentId, amount: 59_000 })).toMatchObject({ status: 'made', amount: 59_000 })
  expect(await creditsLeft()).toBe(50)
  const asked = { db: database.db, path: 'payments refund', args: [purchaseId], options: {} }
  expect(await (await loadFigures(asked.path))?.(asked)).toContain(
    'this refunds ₹590.00; of ₹1,180.00 paid, ₹590.00 are left',
  )
  await expect(refund({ of: paymentId, amount: 59_001 })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: 'Only ₹590.00 of this payment is left to refund.' },
  })
  expect(await refund({ of: purchaseId })).toMatchObject({ status: 'made', amount: 59_000, payment_id: paymentId })
  expect(await creditsLeft()).toBe(0)
  await expect(refund({ of: paymentId })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(refund({ of: 'pay_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await documents()).map(({ kind, total }: { kind: string; total: number }) => [kind, total])).toEqual([
    ...[
      ['credit_note', 59_000],
      ['credit_note', 59_000],
      ['invoice', 118_000],
    ],
  ])
  expect(given()).toHaveLength(2)
  expect(await world.violations()).toEqual([])
})

test('what is given back for credits that are gone takes what the buyer has left, and nothing of another buyer', async () => {
  const [{ accountId, paymentId, creditsLeft }, other] = [await bought(), await bought()]
  await database.db.transaction((tx) => revokeCredits(tx, accountId, 70, `gone:${accountId}`, { type: 'purchased' }))
  expect(await refund({ of: paymentId })).toMatchObject({ status: 'made', amount: 118_000 })
  expect([await creditsLeft(), await other.creditsLeft()]).toEqual([0, 100])
  expect(await world.violations()).toEqual([])
})

test('under one reference money goes back once, also when two ask at the same time', async () => {
  const { paymentId, creditsLeft } = await bought()
  const asked = { of: paymentId, amount: 11_800, reference: 'ticket-7' }
  const answers = await Promise.all([refund(asked), refund(asked), refund(asked)])
  expect(new Set(answers.map(({ request_id: id }) => id)).size).toBe(1)
  expect(await refund(asked)).toMatchObject({ status: 'made' })
  expect(given()).toHaveLength(1)
  expect(await creditsLeft()).toBe(90)
  await expect(refund({ ...asked, amount: 5_900 })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test.each([
  ['before it was made', { kind: 'reset' as const }],
  ['after it was made', { kind: 'reset_after_commit' as const }],
])('a call that is cut %s leaves a request, and reconciling gives the money back once', async (_when, fault) => {
  const { paymentId, creditsLeft } = await bought()
  world.box.addFault({ ...fault, match: 'POST' })
  world.box.addFault({ kind: 'webhook_lost' })
  await expect(refund({ of: paymentId, amount: 23_600 })).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
  expect(await waiting()).toMatchObject([{ payment_id: paymentId, status: 'asked' }])
  // What waits counts as given: nobody gives it a second time.
  await expect(refund({ of: paymentId, amount: 118_000 - 23_599 })).rejects.toMatchObject({ code: 'CONFLICT' })
  await Promise.all([world.reconcile(), world.reconcile()])
  expect(await waiting()).toEqual([])
  expect(given()).toHaveLength(1)
  expect(await creditsLeft()).toBe(80)
  await world.reconcile()
  expect(await creditsLeft()).toBe(80)
  expect(await world.violations()).toEqual([])
})

test('a refund that the processor refuses ends, is told why, and leaves the money to be given back otherwise', async () => {
  const { paymentId, creditsLeft } = await bought()
  world.box.addFault({ kind: 'webhook_lost' })
  await world.refund(paymentId, 118_000)
  await expect(refund({ of: paymentId, reference: 'late' })).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' })
  expect(await refund({ of: paymentId, reference: 'late', amount: 118_000 })).toMatchObject({ status: 'refused' })
  expect(await waiting()).toEqual([])
  await world.reconcile(paymentId)
  expect(await creditsLeft()).toBe(0)
})

/** The processor as it answers about refunds once it could not make one. */
async function failing(refund: object): Promise<{ readonly processor: PaymentProcessor; readonly calls: string[] }> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.method ?? '')
    response.end(JSON.stringify(request.method === 'GET' ? { items: [refund] } : refund))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { processor: razorpay({ ...world.settings, baseUrl }), calls }
}
const failedRefund = (paymentId: string, receipt: string) => ({
  ...{ id: `rfnd_of_${paymentId}`, payment_id: paymentId, amount: 118_000, currency: 'INR', status: 'failed', receipt },
})
const parked = async (paymentId: string) =>
  (await listEvents(database.db, { search: paymentId, open: true, page: 1, limit: 9 })).events.map(
    ({ outcome, detail }) => [outcome, detail],
  )

test.each(['webhook', 'reconcile'] as const)(
  'a refund that fails at the processor after it was accepted, as its %s says, ends, is shown, and is made again',
  async (source) => {
    const { paymentId, creditsLeft } = await bought()
    const pending = { ...parts(), processor: { ...parts().processor, refund: async () => undefined } }
    const asked: RequestedRefund = { of: paymentId, reason: 'asked for by the buyer', actor: overHttp }
    const { request_id: id, status } = await asOperator(() => issueRefund(pending, asked))
    expect([status, await creditsLeft()]).toEqual(['asked', 100])
    const entity = failedRefund(paymentId, id)
    const { processor, calls } = await failing(entity)
    const report = () =>
      source === 'reconcile'
        ? reconcilePayments({ ...parts(), db: database.as('panji_trade'), processor }, paymentId)
        : receiveEvent(
            parts().db,
            parts().queue,
            { ...eventOriginOf(processor), source },
            eventOf({ event: 'refund.failed', payload: { refund: { entity } } }),
          )
    for (let times = 0; times < 2; times += 1) {
      await report()
      expect(await parked(paymentId)).toEqual([
        ['parked', 'The refund of ₹1,180.00 failed at the processor. Refund it again, or in another way.'],
      ])
    }
    expect(calls).not.toContain('POST')
    expect([await waiting(), await creditsLeft()]).toEqual([[], 100])
    expect(await refund({ of: paymentId })).toMatchObject({ status: 'made', amount: 118_000 })
    expect(await creditsLeft()).toBe(0)
    expect(await world.violations()).toEqual([])
  },
)

test('a refund that the processor has accepted is in progress, listed, and not requested again', async () => {
  const { paymentId, purchaseId, creditsLeft } = await bought()
  const pending = { ...parts(), processor: { ...parts().processor, refund: async () => undefined } }
  const reference = `slow ${paymentId}`
  const asked: RequestedRefund = { of: paymentId, amount: 11_800, reference, reason: 'a reason', actor: overHttp }
  const { request_id: id } = await asOperator(() => issueRefund(pending, asked))
  const listed = async (query: string) =>
    (await world.call('GET', `/admin/payments/refunds?${query}`, { token: operatorToken })).json()
  const shown = { request_id: id, payment_id: paymentId, amount: 11_800, status: 'asked', reference, takes_back: [] }
  for (const search of [id, paymentId, purchaseId, reference]) {
    const { data } = await listed(new URLSearchParams({ status: 'asked', search }).toString())
    expect(data).toMatchObject([{ ...shown, reason: 'a reason', actor: overHttp, answered_at: null }])
  }
  const entity = { ...failedRefund(paymentId, id), amount: 11_800, status: 'pending' }
  const { processor, calls } = await failing(entity)
  const reconcile = () => reconcilePayments({ ...parts(), db: database.as('panji_trade'), processor }, paymentId)
  expect(await reconcile()).toMatchObject({ settled: 0, refused: 0 })
  expect([calls.includes('POST'), (await waiting()).length, await creditsLeft()]).toEqual([false, 1, 100])
  const repeated = await asOperator(() => issueRefund({ ...parts(), processor }, asked))
  expect([calls.includes('POST'), repeated.request_id, repeated.status]).toEqual([false, id, 'asked'])
  entity.status = 'processed'
  expect(await reconcile()).toMatchObject({ settled: 1 })
  expect([calls.includes('POST'), await waiting(), await creditsLeft()]).toEqual([false, [], 90])
  expect(await listed(`search=${id}`)).toMatchObject({ data: [{ status: 'made', refund_id: entity.id }], total: 1 })
  expect((await listed(`search=${id}&status=refused`)).total).toBe(0)
})

test('of a payment that was given back in more than ten parts, every part is booked without its notice', async () => {
  const { paymentId, creditsLeft } = await bought()
  for (let part = 0; part < 12; part += 1) {
    world.box.addFault({ kind: 'webhook_lost' })
    await world.refund(paymentId, 1_180)
  }
  expect(await creditsLeft()).toBe(100)
  expect(await world.reconcile(paymentId)).toMatchObject({ settled: 12 })
  expect(await creditsLeft()).toBe(88)
  expect(await world.violations()).toEqual([])
})

test('a refund that fails at once is refused, and one that was booked as made and fails waits for an operator', async () => {
  const { paymentId, creditsLeft } = await bought()
  const { processor } = await failing(failedRefund(paymentId, 'none'))
  const asked: RequestedRefund = {
    of: paymentId,
    reference: 'failing',
    reason: 'asked for by the buyer',
    actor: overHttp,
  }
  const ask = () => asOperator(() => issueRefund({ ...parts(), processor }, asked))
  await expect(ask()).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' })
  expect(await ask()).toMatchObject({ status: 'refused' })
  const { refund_id: refundId } = await refund({ of: paymentId })
  const entity = { ...failedRefund(paymentId, 'none'), id: refundId }
  const origin = { ...eventOriginOf(processor), source: 'webhook' as const }
  const tell = (event: PaymentEvent) => receiveEvent(parts().db, parts().queue, origin, event)
  expect(await tell(eventOf({ event: 'refund.failed', payload: { refund: { entity } } }))).toMatchObject({
    ...{ outcome: 'parked', detail: expect.stringContaining('is booked as made') },
  })
  expect(await creditsLeft()).toBe(0)
})

test('an operator gives money back over HTTP, once under a reference, and an account may not', async () => {
  const { paymentId, creditsLeft } = await bought()
  const body = { of: paymentId, amount: 11_800, reference: 'http-1', reason: 'asked for by the buyer' }
  const refunding = (token: string) => world.call('POST', '/admin/payments/refund', { token }, body)
  expect((await refunding((await newCustomer(api, database)).token)).statusCode).toBe(401)
  const reply = await refunding(operatorToken)
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { status: 'made', amount: 11_800 }])
  expect((await refunding(operatorToken)).json()).toEqual(reply.json())
  expect(await creditsLeft()).toBe(90)
  const [row] = await database.db.query(
    `SELECT actor, operation FROM access.audit WHERE action = 'refund payment' AND subject = $1`,
    [paymentId],
  )
  expect(row).toMatchObject({ actor: expect.stringContaining('operator'), operation: 'refundPayment' })
})
