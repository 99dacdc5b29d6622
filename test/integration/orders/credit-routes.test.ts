/** The credits of an account as its owner and its operators read and move them over HTTP. */
import { expect, test } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

test('every movement is told with the balance after it, the newest first, and the balance is told everywhere alike', async () => {
  await fillRegisters(database.db)
  const { token, accountId } = await newCustomer(api, database)
  await addCredits(database.db, accountId, 5)
  const adjust = (body: object) => api.post(`/admin/users/${accountId}/credits`, operatorToken, body)
  const expires = indianDayOf(new Date(Date.now() + 86_400_000))
  const diwali = { credits: 3, reference: 'diwali', reason: 'Diwali offer', type: 'granted', expires }
  expect((await adjust(diwali)).json()).toEqual({ applied: true, credit_balance: 8 })
  expect((await adjust(diwali)).json()).toEqual({ applied: false, credit_balance: 8 })
  expect((await adjust({ credits: -9, reference: 'wrong', reason: 'too many' })).json()).toMatchObject({
    error_code: 'INSUFFICIENT_CREDITS',
    detail: 'To take back 9 credits the account must have them, and it has 8. Nothing was written.',
    required: 9,
    balance: 8,
  })
  expect((await adjust({ credits: -1, reference: 'error', reason: 'given in error' })).json()).toEqual({
    applied: true,
    credit_balance: 7,
  })
  const unpaid = await adjust({ credits: 5, reference: 'unpaid', reason: 'paid in cash', type: 'purchased' })
  expect([unpaid.statusCode, unpaid.body]).toEqual([400, expect.stringContaining('come with their payment')])
  const lots = async () => (await api.get('/api/credits/lots', token)).json()
  // What ends first is spent first, and what is spent is no lot any more.
  const lasting = { credit_type: 'granted', left: 5, total: 5, ends_at: null }
  const offer = { credit_type: 'granted', left: 2, total: 2, ends_at: expect.stringMatching(/Z$/) }
  expect(await lots()).toEqual({ data: [offer, lasting] })
  const orderId = (await api.post('/api/orders/normal', token, orderBody)).json()._id
  expect(await lots()).toEqual({ data: [{ ...lasting, left: 4 }] })

  const { data, total } = (await api.get('/api/credits/ledger', token)).json()
  expect(total).toBe(5)
  expect(
    data.map(({ kind, amount, balance_after, order_id, memo }: Record<string, unknown>) => [
      kind,
      amount,
      balance_after,
      order_id,
      memo,
    ]),
  ).toEqual([
    // Two of the offer were left, which end first, so the order takes a third from the others.
    ['spend', -1, 4, orderId, null],
    ['spend', -2, 5, orderId, null],
    ['revoke', -1, 7, null, 'given in error'],
    ['grant', 3, 8, null, 'Diwali offer'],
    ['grant', 5, 5, null, null],
  ])
  expect(Object.keys(data[0])).toEqual([
    'entry_id',
    'at',
    'kind',
    'credit_type',
    'amount',
    'balance_after',
    'reference',
    'order_id',
    'memo',
  ])
  const { credits } = (await api.get('/api/access', token)).json()
  expect(credits).toMatchObject([{ type: 'granted', balance: 4, total_credits: 7, used_credits: 3 }])
  expect((await api.get('/api/users/me', token)).json().credit_balance).toBe(4)

  const second = (await api.get('/api/credits/ledger?kind=spend&page=2&limit=1', token)).json()
  expect([second.total, second.data.length, second.data[0].amount]).toEqual([2, 1, -2])
  const today = indianDayOf(new Date())
  expect((await api.get(`/api/credits/ledger?from=${today}&to=${today}`, token)).json().total).toBe(5)
  expect((await api.get('/api/credits/ledger?to=2020-01-01', token)).json()).toMatchObject({ data: [], total: 0 })
  const csv = await api.get('/api/credits/ledger?format=csv', token)
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = csv.body.split('\r\n')
  expect(lines).toHaveLength(7)
  expect([lines[0]?.split(',').slice(0, 3), lines[1]?.split(',')[1]]).toEqual([['entry_id', 'date', 'at'], today])
  expect(csv.body).toContain('Diwali offer')

  const stranger = await newCustomer(api, database)
  expect((await api.get('/api/credits/ledger', stranger.token)).json().total).toBe(0)
  expect((await api.get('/api/credits/lots', stranger.token)).json()).toEqual({ data: [] })
})

test('credits whose last day is over are not given, and a reference stands for one kind of credits and one end', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const adjust = async (over: object) => {
    const body = { credits: 5, reference: 'offer', reason: 'Diwali offer', ...over }
    const reply = await api.post(`/admin/users/${accountId}/credits`, operatorToken, body)
    return [reply.statusCode, reply.json()]
  }
  const [before, today] = [-1, 0].map((days) => indianDayOf(new Date(Date.now() + days * 86_400_000)))
  expect(await adjust({ expires: before })).toMatchObject([422, { error_code: 'UNPROCESSABLE', parameter: 'expires' }])
  expect((await api.get('/api/credits/ledger', token)).json().total).toBe(0)
  expect(await adjust({ expires: today })).toEqual([200, { applied: true, credit_balance: 5 }])
  expect(await adjust({ expires: today })).toEqual([200, { applied: false, credit_balance: 5 }])
  for (const other of [{}, { expires: today, type: 'plan' }, { expires: '2999-12-31' }])
    expect(await adjust(other)).toMatchObject([409, { error_code: 'CONFLICT' }])
  expect((await api.get('/api/credits/lots', token)).json().data).toMatchObject([{ left: 5, total: 5 }])
})

test('operators read both sides of every transfer, and who moved it', async () => {
  const { accountId } = await newCustomer(api, database)
  await api.post(`/admin/users/${accountId}/credits`, operatorToken, {
    credits: 2,
    reference: 'books',
    reason: 'a test',
  })
  const books = (await api.get(`/admin/ledger?user_id=${accountId}`, operatorToken)).json()
  expect(books).toMatchObject({
    total: 1,
    data: [{ kind: 'grant', from: 'issued', to: 'credits', amount: 2, actor: 'operator:default', memo: 'a test' }],
  })
  const sums = new Map<string, number>()
  for (const { currency, balance } of books.accounts) sums.set(currency, (sums.get(currency) ?? 0) + balance)
  expect([...sums.values()]).toEqual([0, 0])
  expect((await api.get('/admin/ledger?search=grant:books', operatorToken)).json().total).toBe(1)
  const [{ transfer_id: number }] = books.data
  const found = (await api.get(`/admin/ledger?search=${number}`, operatorToken)).json()
  expect(found.data.map(({ transfer_id: id }: { transfer_id: number }) => id)).toEqual([number])
  const { data } = (await api.get('/admin/audit?action=adjust%20credits', operatorToken)).json()
  expect(data[0]).toMatchObject({ subject: accountId, detail: { credits: 2, reference: 'books', balance: 2 } })
})
