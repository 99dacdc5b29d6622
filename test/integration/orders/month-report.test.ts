/** The accountant's month: every figure of a month in which packs were sold, used, refunded and charged back is recomputed here by hand. */
import { beforeAll, expect, test, vi } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { closeMonth, readMonthReport } from '../../../src/orders/month/month-report.ts'
import { newCustomer, operatorToken, type TestApi, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
const month = monthBefore(monthBefore(indianDayOf(new Date()).slice(0, 7)))

function monthBefore(name: string): string {
  const [year = 0, number = 0] = name.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}

/** What happened so far, to the last instant of the month in India; what was there before stays. */
async function happenedIn(name: string): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    for (const [table, column] of [
      ['ledger.transfer', 'created_at'],
      ['orders.invoice', 'issued_at'],
    ] as const) {
      await tx.execute(
        `UPDATE ${table} SET ${column} = runtime.indian_midnight(($1::date + interval '1 month')::date) - interval '1 microsecond'
         WHERE ${column} > now() - interval '1 day'`,
        [`${name}-01`],
      )
    }
  })
}

const report = async (name: string) => {
  const reply = await api.get(`/admin/ledger/months/${name}`, operatorToken)
  expect(reply.statusCode).toBe(200)
  return reply.json()
}
const file = async (part: string) => {
  const reply = await api.get(`/admin/ledger/months/${month}/export?part=${part}`, operatorToken)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head = '', ...lines] = reply.body.trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

const inPune = { legal_name: 'Godavari Data LLP', address: '1 MG Road, Pune 411001', place_of_supply: '27' }
const inPanaji = { legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' }

let before: unknown

beforeAll(async () => {
  const customer = await newCustomer(api, database)
  for (const serial of [1, 2, 3, 4]) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  const buy = async (body: object): Promise<string> => {
    const { payment } = (await world.call('POST', '/api/credits/purchase', customer, body)).json()
    return (await world.box.pay(payment.id))?.id ?? ''
  }
  const spend = async (...serials: number[]) => {
    const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
    const body = { orderName: 'x', paymentOption: 'credits', items }
    expect((await world.call('POST', '/api/orders/normal', customer, body)).statusCode).toBe(201)
    await closeLedgerDay(database.as('panji_worker'))
  }
  // The month before: one pack, of which a credit was spent.
  await buy({ pack_id: 'credits-100' })
  await spend(1)
  await happenedIn(monthBefore(month))
  before = await report(monthBefore(month))
  // The month: three more credits of it are spent, another pack goes to Maharashtra and half of it back, a third goes back by its bank.
  await spend(2, 3, 4)
  const other = await buy({ pack_id: 'credits-500', billing: inPune })
  await world.refund(other, 265_500)
  const charged = await buy({ pack_id: 'credits-100', billing: inPanaji })
  await world.box.chargeBack(charged)
  await happenedIn(month)
  // The rate was another when that pack was sold.
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute('UPDATE orders.invoice SET rate = 12 WHERE reference LIKE $1', [`%${charged}`])
  })
  // And after it, what must not show.
  await buy({ pack_id: 'credits-2500' })
})

test('the sums of a month are those of its movements, and what stands on its last day', async () => {
  const { revenue_by_product, is_over, closed, first_day, last_day, ...sums } = await report(month)
  expect([is_over, closed, first_day.slice(8), last_day.slice(0, 7)]).toEqual([true, false, '01', month])
  expect(sums).toMatchObject({
    ...{ sold: 450_000 + 100_000, sold_tax: 81_000 + 18_000, revenue: 3_000 },
    ...{ refunds: 225_000, refunds_tax: 40_500, chargebacks: 100_000, chargebacks_tax: 18_000 },
    ...{ receivables: 0, collected: 0, written_off: 0 },
    deferred: 100_000 - 4_000 + 225_000,
  })
  expect(revenue_by_product).toEqual([{ product: 'credits-100', earned: 3_000, breakage: 0 }])
})

test('the trial balance is as of the last day, and its debits are its credits', async () => {
  const { trial_balance } = await report(month)
  for (const currency of ['credits', 'paise']) {
    const rows = trial_balance.filter((row: { currency: string }) => row.currency === currency)
    const sum = (side: string) => rows.reduce((all: number, row: Record<string, number>) => all + (row[side] ?? 0), 0)
    expect([sum('debit'), sum('debit') > 0]).toEqual([sum('credit'), true])
  }
  const balance = (account: string) => trial_balance.find((row: { account: string }) => row.account === account)
  expect(balance('unearned')).toMatchObject({ debit: 0, credit: 321_000 })
  expect(balance('earned')).toMatchObject({ debit: 0, credit: 4_000 })
  expect(balance('taxes')).toMatchObject({ debit: 0, credit: 18_000 + 40_500 })
})

test('each document stands in the table of GSTR-1 that it belongs to, with its tax where the buyer is', async () => {
  const documents = await file('documents')
  expect(
    documents.map(({ table, taxable_value, igst, cgst, sgst, value }) => [
      table,
      taxable_value,
      igst,
      cgst,
      sgst,
      value,
    ]),
  ).toEqual([
    ['b2cs', '4500.00', '810.00', '0.00', '0.00', '5310.00'],
    ['b2cs', '1000.00', '0.00', '90.00', '90.00', '1180.00'],
    ['b2cs', '2250.00', '405.00', '0.00', '0.00', '2655.00'],
    ['b2cs', '1000.00', '0.00', '90.00', '90.00', '1180.00'],
  ])
  // As the documents say it, not as the account is called and what is sold is taxed today.
  expect(documents.map(({ rate }) => rate)).toEqual(['18', '12', '18', '18'])
  const [pune, panaji] = [inPune.legal_name, inPanaji.legal_name]
  expect(documents.map(({ buyer }) => buyer)).toEqual([pune, panaji, pune, panaji])
  const [invoice, , note] = documents
  expect(invoice).toMatchObject({
    rate: '18',
    reverse_charge: 'N',
    place_of_supply: '27',
    date: (await report(month)).last_day,
  })
  expect([note?.['against'], note?.['against_date']]).toEqual([invoice?.['number'], invoice?.['date']])
})

test('operators find invoices and credit notes by month, kind and what their documents say, and export them in rupees', async () => {
  const find = async (query: string) => {
    const reply = await api.get(`/admin/invoices?${query}`, operatorToken)
    return { status: reply.statusCode, ...reply.json() }
  }
  const { data, total } = await find(`month=${month}`)
  expect(total).toBe(4)
  const [note, invoice] = ['credit_note', 'invoice'].map((kind) =>
    data.find((row: { kind: string; igst: number }) => row.kind === kind && row.igst > 0),
  )
  expect(invoice).toMatchObject({
    ...{
      place_of_supply: '27',
      date: (await report(month)).last_day,
      against: null,
      buyer: { name: inPune.legal_name },
    },
    ...{
      net: 450_000,
      cgst: 0,
      sgst: 0,
      igst: 81_000,
      total: 531_000,
      user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  })
  expect(note).toMatchObject({ against: invoice.number, net: 225_000, igst: 40_500, total: 265_500 })
  expect((await api.get(`/admin/invoices/${note.number}`, operatorToken)).json()).toEqual(note)
  const numbers = async (query: string) => (await find(query)).data.map((row: { number: string }) => row.number)
  expect(await numbers(`month=${month}&kind=credit_note`)).toHaveLength(2)
  expect(await numbers(`search=${invoice.number.toLowerCase()}`)).toEqual([invoice.number, note.number])
  expect(await numbers(`month=${monthBefore(month)}&search=${invoice.user_id}`)).toHaveLength(1)
  expect(await numbers(`month=${month}&search=GODAVARI`)).toEqual([invoice.number, note.number])
  expect(await numbers(`month=${monthBefore(monthBefore(month))}`)).toEqual([])
  expect(await numbers('search=nobody@example.in')).toEqual([])
  expect(await numbers(`month=${month}&limit=1&page=4`)).toEqual([data[3].number])
  for (const [none, status] of [
    ['2026-13', 422],
    ['march', 400],
  ] as const) {
    expect((await find(`month=${none}`)).status).toBe(status)
  }
  const exported = (format: string) => api.get(`/admin/invoices/export?month=${month}&format=${format}`, operatorToken)
  const byNumber = (one: { number: string }, other: { number: string }) => (one.number < other.number ? -1 : 1)
  expect((await exported('json')).json()).toEqual([...data].sort(byNumber))
  const [head = '', ...lines] = (await exported('csv')).body.trimEnd().split('\r\n')
  expect(head).toBe(
    'number,kind,date,user_id,buyer,address,gstin,place_of_supply,description,sac,rate,net,cgst,sgst,igst,total,against,against_date',
  )
  expect(lines).toHaveLength(4)
  const line = lines.find((each) => each.startsWith(note.number))
  expect(line).toMatch(new RegExp(`,18,2250.00,0.00,0.00,405.00,2655.00,${invoice.number},${invoice.date}$`))
})

test('the journal has every movement of money with its document, and sums to the trial balance of both months', async () => {
  const journal = await file('journal')
  const change = new Map<string, number>()
  for (const { debit = '', credit = '', amount } of journal) {
    const paise = Math.round(Number(amount) * 100)
    change.set(debit, (change.get(debit) ?? 0) + paise)
    change.set(credit, (change.get(credit) ?? 0) - paise)
  }
  type Balances = { readonly trial_balance: readonly Record<'account' | 'currency' | 'debit' | 'credit', unknown>[] }
  const standing = ({ trial_balance }: Balances) =>
    new Map(
      trial_balance
        .filter(({ currency }) => currency === 'paise')
        .map(({ account, debit, credit }) => [String(account), Number(debit) - Number(credit)]),
    )
  const [then, now] = [standing(before as Balances), standing(await report(month))]
  for (const [account, balance] of now) {
    expect([account, balance]).toEqual([account, (then.get(account) ?? 0) + (change.get(account) ?? 0)])
  }
  expect(journal.filter(({ document }) => document === '')).toEqual([])
  expect(new Set(journal.map(({ kind }) => kind))).toContain('earn')
})

test('a month that is told again is the same, whatever came after it; one that has not begun is refused', async () => {
  expect(await report(monthBefore(month))).toEqual(before)
  const later = `${Number(month.slice(0, 4)) + 5}-01`
  for (const none of [later, '2026-13', '2026-1', 'march']) {
    expect((await api.get(`/admin/ledger/months/${none}`, operatorToken)).statusCode).toBe(404)
  }
})

test('a month that is closed stays what it was: the database books and issues nothing in it, and what comes later stands in the open one', async () => {
  const close = (name: string) => api.post(`/admin/ledger/months/${name}/close`, operatorToken, { reason: 'reported' })
  expect((await close(indianDayOf(new Date()).slice(0, 7))).statusCode).toBe(409)
  const open = await report(month)
  const closed = (await close(month)).json()
  expect(closed).toEqual({ ...open, closed: true, closed_at: expect.stringMatching(/Z$/) })
  expect((await close(month)).json()).toEqual(closed)
  // What belongs there, written past every guard but those of months.
  const { db } = database
  const past = (table: string, column: string, key: string) =>
    db.transaction(async (tx) => {
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      await tx.execute(
        `UPDATE ${table} SET ${column} = runtime.indian_midnight($1) + interval '1 day' WHERE ${key} = (SELECT max(${key}) FROM ${table})`,
        [`${month}-01`],
      )
    })
  await past('ledger.transfer', 'created_at', 'transfer_id')
  expect(await report(month)).toEqual(closed)
  const late = db.execute(
    `INSERT INTO orders.invoice (number, series, financial_year, serial, account_id, issued_at, reference, description, sac, place_of_supply,
       seller, net, cgst, sgst, igst, total)
     SELECT 'late', series, financial_year, serial, account_id, runtime.indian_midnight($1), 'late', description, sac, place_of_supply,
       seller, net, cgst, sgst, igst, total FROM orders.invoice LIMIT 1`,
    [`${month}-01`],
  )
  await expect(late).rejects.toThrow('no document is issued in a month that is closed')
  for (const change of ['UPDATE ledger.closed_month SET closed_by = closed_by', 'DELETE FROM ledger.closed_month']) {
    await expect(db.execute(change)).rejects.toThrow()
  }
})

test('a clock that fell back into a closed month is told as such, loses nothing, and orders go on once it is right', async () => {
  const customer = await newCustomer(api, database)
  const give = (reference: string) =>
    api.post(`/admin/users/${customer.accountId}/credits`, operatorToken, { credits: 5, reference, reason: 'goodwill' })
  expect((await give('before')).statusCode).toBe(200)
  await insertGst(database.db, gstinOf(9))
  await insertContact(database.db, 'gst', gstinOf(9), { email: 'gst9@example.in' })
  const body = {
    orderName: 'x',
    paymentOption: 'credits',
    items: [{ type: 'gst', name: 'X', number: gstinOf(9) }],
  }
  const order = () => world.call('POST', '/api/orders/normal', customer, body, { 'idempotency-key': 'after-midnight' })
  // To the ledger a clock in a closed month and a month that is closed under the clock are the same.
  const pastGuards = (statement: string) =>
    database.db.transaction(async (tx) => {
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      await tx.execute(statement, [`${indianDayOf(new Date()).slice(0, 7)}-01`])
    })
  const state = async () => [
    (await api.get('/admin/ledger', operatorToken)).json().total,
    (await world.call('GET', '/api/orders', customer)).json().total,
    (await world.call('GET', '/api/users/me', customer)).json().credit_balance,
  ]
  const [transfers, ...rest] = await state()
  await pastGuards(
    `INSERT INTO ledger.closed_month (month, closed_by, reason, report) VALUES ($1, 'operator', 'test', '{}')`,
  )
  const refused = await order()
  const given = await give('late')
  const left = await state()
  await pastGuards('DELETE FROM ledger.closed_month WHERE month = $1')
  for (const reply of [refused, given]) {
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      expect.objectContaining({
        error_code: 'UNAVAILABLE',
        reason: 'month_closed',
        detail: expect.stringContaining('a month that is closed'),
      }),
    ])
  }
  expect(left).toEqual([transfers, ...rest])
  expect([(await order()).statusCode, (await give('late')).statusCode]).toEqual([201, 200])
})

test('an accountant reads money and nothing else', async () => {
  const made = await api.post('/admin/operators', operatorToken, { name: 'meera', role: 'accountant' })
  const { token } = made.json()
  for (const path of [
    ...['/admin/ledger', `/admin/ledger/months/${month}`, '/admin/payments'],
    ...['/admin/invoices', '/admin/invoices/export'],
  ]) {
    expect([path, (await api.get(path, token)).statusCode]).toEqual([path, 200])
  }
  for (const path of [
    '/admin/users',
    '/admin/orders',
    '/admin/audit',
    '/admin/deliveries',
    '/metrics',
    '/admin/operators',
  ]) {
    const refused = await api.get(path, token)
    expect([path, refused.statusCode, refused.json().error_code]).toEqual([path, 403, 'OPERATOR_ROLE_MISSING'])
  }
  expect((await api.post(`/admin/ledger/months/${month}/close`, token, { reason: 'x' })).statusCode).toBe(403)
})

test('whether a month is over the clock of the database says, and not that of the machine that is asked', async () => {
  const now = indianDayOf(new Date()).slice(0, 7)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 })
  try {
    await expect(closeMonth(database.db, now, { actor: 'operator', reason: 'all is booked' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `${now} is not over in India, so it stays open.`,
    })
    expect(await readMonthReport(database.db, now)).toMatchObject({ is_over: false, closed: false })
  } finally {
    vi.useRealTimers()
  }
})
