/** Invoices and credit notes as the rules ask for them, from the purchase to long after it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'
import { invoicePages } from '../../../src/orders/invoices/find-invoices.ts'
import {
  billingOfTests,
  type LoggedIn,
  newCustomer,
  operatorToken,
  secretKey,
  type TestApi,
  useApi,
} from '../../support/api.ts'
import { addCredits, fillRegisters, issuedInvoice, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiProgram } from '../../support/panji-program.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { readPdf } from '../../support/pdf-text.ts'
import { newPerson, type SignedIn } from '../../support/person.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const pack = { pack_id: 'credits-100' }
const documentsOf = async (customer: LoggedIn) => (await world.call('GET', '/api/invoices', customer)).json().data

test('an order that was cancelled before its payment came is invoiced as the credits that it became', async () => {
  const customer = await newCustomer(api, database)
  const order = { ...orderBody, paymentOption: 'online' }
  const { _id: id } = (await world.call('POST', '/api/orders/normal', customer, order)).json()
  const { payment } = (await world.call('GET', `/api/orders/${id}`, customer)).json()
  await world.call('POST', `/api/orders/${id}/cancel`, customer)
  await world.box.pay(payment.id)
  const { credit_balance: credits } = (await world.call('GET', '/api/users/me', customer)).json()
  expect(credits).toBeGreaterThan(0)
  expect(await documentsOf(customer)).toMatchObject([
    { description: `${credits} credits for records of the Indian registers` },
  ])
})

test('central and state tax are the same to the paisa in every credit note of an invoice, and add up to those of it', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  const paid = await world.box.pay(payment.id)
  const parts = [10_007, 333, 100, 57_001, 12_345]
  for (const part of parts) await world.refund(paid?.id ?? '', part)
  await world.refund(paid?.id ?? '', 118_000 - parts.reduce((sum, part) => sum + part, 0))
  const documents: { kind: string; net: number; cgst: number; sgst: number }[] = await documentsOf(customer)
  const notes = documents.filter(({ kind }) => kind === 'credit_note')
  expect(notes).toHaveLength(parts.length + 1)
  for (const { cgst, sgst } of notes) expect(cgst).toBe(sgst)
  const sumOf = (name: 'net' | 'cgst' | 'sgst') => notes.reduce((sum, note) => sum + note[name], 0)
  expect([sumOf('net'), sumOf('cgst'), sumOf('sgst')]).toEqual([100_000, 9_000, 9_000])
  expect(await world.violations()).toEqual([])
})

test('a document has the date of the booking that it is for, so that both are in one month however long the payment takes', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  const paid = await world.box.pay(payment.id)
  await world.refund(paid?.id ?? '', 10_000)
  const documents = await database.db.query<{ issuedAt: Date; bookedAt: Date }>(
    `SELECT i.issued_at AS "issuedAt", date_trunc('milliseconds', t.created_at) AS "bookedAt"
     FROM orders.invoice i JOIN ledger.transfer t ON t.reference = i.reference || ':net' WHERE i.account_id = $1`,
    [customer.accountId],
  )
  expect(documents).toHaveLength(2)
  for (const { issuedAt, bookedAt } of documents) expect(issuedAt).toEqual(bookedAt)
})

const untold = async () => {
  const customer = await newCustomer(api, database)
  await database.db.execute('UPDATE access.account SET billing = NULL WHERE account_id = $1', [customer.accountId])
  return customer
}
const pay = async (reply: { json(): { payment?: { id: string } | null } }) =>
  (await world.box.pay(reply.json().payment?.id ?? ''))?.id ?? ''
const pdfOf = async (customer: LoggedIn, number: string) =>
  (await world.call('GET', `/api/invoices/${number}/pdf`, customer)).rawPayload
const shop = { legal_name: 'गोदावरी डेटा LLP', address: '1 MG Road\nPune 411001', place_of_supply: '27' }

test.each([
  ['credits', '/api/credits/purchase', pack],
  ['a plan', '/api/plans/premium-month/buy', { payment_option: 'online' }],
])(
  '%s paid online without billing details are invoiced to the name of the account, where the seller is',
  async (_, url, body) => {
    const customer = await untold()
    const reply = await world.call('POST', url, customer, body)
    const { payment } = reply.json().purchase ?? reply.json()
    await world.box.pay(payment.id)
    const [invoice] = await documentsOf(customer)
    expect(invoice).toMatchObject({ place_of_supply: '30', gstin: null, igst: 0, buyer: { address: null } })
    expect((await world.call('GET', '/api/users/me/billing', customer)).json()).toMatchObject({ billing: null })
  },
)

test('whoever buys credits, a plan or an offer online is notified once of each payment, with its invoice', async () => {
  const customer = await newCustomer(api, database)
  const url = 'https://hooks.example.in/purchases'
  expect((await world.call('POST', '/api/crm/webhooks', customer, { url, events: ['purchase.paid'] })).statusCode).toBe(
    201,
  )
  const online = { payment_option: 'online' }
  const begun = [
    (await world.call('POST', '/api/credits/purchase', customer, pack)).json(),
    (await world.call('POST', '/api/plans/premium-month/buy', customer, online)).json().purchase,
    (await world.call('POST', '/api/offers/recent-gst-30/buy', customer, online)).json().purchase,
  ]
  for (const { payment } of begun) {
    const paid = await world.box.pay(payment.id)
    await world.reconcile(paid?.id ?? '')
  }
  const invoices = (await documentsOf(customer)).toReversed()
  const told = [
    ['credits', 'credits-100', 100],
    ['plan', 'premium-month', 100],
    ['offer', 'recent-gst-30', 0],
  ].map(([kind, product, credits], index) => {
    const { number: invoice, total: amount } = invoices[index]
    return { purchase_id: begun[index].purchase_id, kind, product, credits, amount, invoice }
  })
  const sent = (table: 'event' | 'mail') =>
    database.db.query<{ data: Readonly<Record<string, unknown>> }>(
      sql`SELECT data FROM deliver.${table} WHERE account_id = $1 AND type = 'purchase.paid' ORDER BY created_at`,
      [customer.accountId],
    )
  expect(await sent('event')).toEqual(told.map((data) => ({ data })))
  const mails = await sent('mail')
  expect(mails).toEqual(
    told.map((data, index) => ({ data: { ...data, description: invoices[index].description, is_second: false } })),
  )
  const { subject, text } = mailText('purchase.paid', mails[0]?.data ?? {}, 'https://panji.example')
  expect(subject).toBe('Payment of ₹1,180.00 received')
  expect(text.split('\n').slice(0, 6)).toEqual([
    'Your payment was received. It bought 100 credits for records of the Indian registers.',
    `Invoice ${told[0]?.invoice} is on the Invoices page.`,
    '',
    `Purchase ID: ${begun[0].purchase_id}`,
    '',
    `https://panji.example/app/purchases/${begun[0].purchase_id}`,
  ])
})

test('an invoice of a plan or offer names it once and the days of its term, of a renewal those that follow', async () => {
  const customer = await newCustomer(api, database)
  const buy = async (url: string) =>
    pay(
      (({ purchase }) => ({ json: () => purchase }))(
        (await world.call('POST', url, customer, { payment_option: 'online' })).json(),
      ),
    )
  await buy('/api/offers/recent-gst-30/buy')
  await buy('/api/offers/recent-gst-30/buy')
  await buy('/api/plans/premium-month/buy')
  const { data } = (await world.call('GET', '/api/subscriptions', customer)).json()
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Kolkata' })
  const soldAs = data.flatMap(({ name, terms }: { name: string; terms: { starts_at: string; ends_at: string }[] }) =>
    terms.map(
      ({ starts_at: from, ends_at: to }) =>
        `${name}: access to records of the Indian registers from ${day.format(new Date(from))} to ${day.format(new Date(to))}`,
    ),
  )
  expect(soldAs).toHaveLength(3)
  const documents: { description: string; lines: { description: string }[] }[] = await documentsOf(customer)
  expect(documents.map(({ description }) => description).sort()).toEqual(soldAs.sort())
  expect(documents.map(({ lines }) => lines[0]?.description).sort()).toEqual(soldAs.sort())
})

test('an order that is paid online without billing details is invoiced to the name of the account, where the seller is', async () => {
  const customer = await untold()
  const order = { ...orderBody, paymentOption: 'online' }
  const { _id: id } = (await world.call('POST', '/api/orders/normal', customer, order)).json()
  const { payment } = (await world.call('GET', `/api/orders/${id}`, customer)).json()
  await world.box.pay(payment.id)
  const [invoice] = await documentsOf(customer)
  expect(invoice).toMatchObject({ place_of_supply: '30', gstin: null, igst: 0, buyer: { address: null } })
  const quantities = invoice.lines.map(({ quantity }: { quantity: number }) => quantity)
  expect(quantities.reduce((sum: number, each: number) => sum + each, 0)).toBe(orderBody.items.length)
  const nets = invoice.lines.map(({ net }: { net: number }) => net)
  expect(nets.reduce((sum: number, each: number) => sum + each, 0)).toBe(invoice.net)
})

test.each([
  ['gstin', { ...shop, gstin: '27AAPFU0939F1ZX' }, 'its check digit should be V'],
  ['gstin', { ...shop, gstin: '27AAPFU' }, 'not a valid GSTIN'],
  ['place_of_supply', { ...shop, gstin: '29AAGCB7383J1Z4', place_of_supply: '27' }, 'the GSTIN is of Karnataka (29)'],
  ['place_of_supply', { ...shop, place_of_supply: '00' }, 'no code of a state'],
  ['place_of_supply', { ...shop, place_of_supply: undefined }, 'is missing'],
  ['legal_name', { ...shop, legal_name: 'Emoji 😀' }, 'U+1F600'],
])(
  'billing details whose %s is wrong are refused with the member and why, and nothing is kept',
  async (_member, details, why) => {
    const customer = await untold()
    for (const [method, url, body] of [
      ['PUT', '/api/users/me/billing', details],
      ['POST', '/api/credits/purchase', { ...pack, billing: details }],
    ] as const) {
      const reply = await world.call(method, url, customer, body)
      expect([reply.statusCode, reply.json().error_code]).toEqual([422, 'UNPROCESSABLE'])
      expect(reply.json().detail).toContain(why)
    }
    expect((await world.call('GET', '/api/users/me/billing', customer)).json()).toMatchObject({ billing: null })
  },
)

test('billing details of a purchase are kept for later ones, and a change names later invoices and none that was issued', async () => {
  const customer = await untold()
  await pay(await world.call('POST', '/api/credits/purchase', customer, { ...pack, billing: shop }))
  const registered = { ...shop, legal_name: 'Asha Data LLP', place_of_supply: null, gstin: '27aapfu0939f1zv' }
  const kept = await world.call('PUT', '/api/users/me/billing', customer, registered)
  expect(kept.json()).toMatchObject({ place_of_supply: '27', gstin: '27AAPFU0939F1ZV' })
  await pay(await world.call('POST', '/api/credits/purchase', customer, pack))
  const [second, first] = await documentsOf(customer)
  expect(first).toMatchObject({ buyer: { name: 'गोदावरी डेटा LLP' }, gstin: null, igst: 18_000, cgst: 0, rate: 18 })
  expect(second).toMatchObject({ buyer: { name: 'Asha Data LLP' }, gstin: '27AAPFU0939F1ZV', igst: 18_000 })
  const { lines } = readPdf(await pdfOf(customer, first.number))
  expect(lines).toEqual(expect.arrayContaining(['Recipient: गोदावरी डेटा LLP', 'Pune 411001', 'IGST 18%: ₹180.00']))
})

test('a buyer enters billing details where there are none, and only an admin changes them', async () => {
  const customer = await untold()
  await addCredits(database.db, customer.accountId, 20)
  const [buyer, admin] = [
    await newPerson(api, database, customer.accountId, 'buyer'),
    await newPerson(api, database, customer.accountId, 'admin'),
  ]
  const orderAs = async ({ call }: SignedIn, billing: object) =>
    (await call('POST', '/api/orders/normal', { ...orderBody, billing })).statusCode
  const stored = async () => (await api.get('/api/users/me/billing', customer.token)).json().billing
  const changed = { ...shop, legal_name: 'Asha Data LLP' }
  expect([await orderAs(buyer, shop), await stored()]).toEqual([201, { ...shop, gstin: null }])
  expect([await orderAs(buyer, changed), await stored()]).toEqual([403, { ...shop, gstin: null }])
  const refused = await buyer.call('POST', '/api/orders/normal', { ...orderBody, billing: changed })
  expect(refused.json()).toMatchObject({ error_code: 'ROLE_MISSING', needed_role: 'admin' })
  expect(await orderAs(buyer, shop)).toBe(201)
  expect([await orderAs(admin, changed), await stored()]).toEqual([201, { ...changed, gstin: null }])
  expect((await api.post('/api/orders/normal', customer.token, { ...orderBody, billing: shop })).statusCode).toBe(201)
  expect(await stored()).toEqual({ ...shop, gstin: null })
})

test('billing details of a purchase that is refused are not stored, and stored ones are a row of the audit log', async () => {
  const customer = await untold()
  const stored = async () => (await api.get('/api/users/me/billing', customer.token)).json().billing
  const unknown = [{ type: 'company', name: 'nobody', number: 'U62099GA2099PTC000001' }]
  const online = { ...orderBody, paymentOption: 'online', billing: shop }
  for (const [url, body, status] of [
    ['/api/orders/normal', { ...online, items: unknown }, 404],
    ['/api/orders/normal', { ...online, paymentOption: 'credits' }, 400],
    ['/api/credits/purchase', { pack_id: 'none', billing: shop }, 404],
  ] as const) {
    const reply = await world.call('POST', url, customer, body)
    expect([reply.statusCode, await stored()]).toEqual([status, null])
  }
  const acts = async () =>
    (await api.get(`/admin/audit?kind=act&account=${customer.accountId}`, operatorToken))
      .json<{ data: { action: string }[] }>()
      .data.flatMap(({ action }) => (action === 'log in' ? [] : action))
  expect((await world.call('POST', '/api/credits/purchase', customer, { ...pack, billing: shop })).statusCode).toBe(201)
  expect((await acts()).slice(0, 2)).toEqual(['purchase credits', 'set billing details'])
  // The same again is no change.
  expect((await world.call('POST', '/api/orders/normal', customer, online)).statusCode).toBe(201)
  expect((await acts()).slice(0, 2)).toEqual(['place order', 'purchase credits'])
})

test('a credit note names its invoice and the day of it, and the rows whose credits went back, with their number', async () => {
  const customer = await newCustomer(api, database)
  const order = { ...orderBody, paymentOption: 'online' }
  const { _id: id } = (await world.call('POST', '/api/orders/normal', customer, order)).json()
  const { payment } = (await world.call('GET', `/api/orders/${id}`, customer)).json()
  const paid = await world.box.pay(payment.id)
  await world.refund(paid?.id ?? '')
  const [note, invoice] = await documentsOf(customer)
  expect(note).toMatchObject({ kind: 'credit_note', against: invoice.number, against_issued_at: invoice.issued_at })
  expect(note.description).toBe(`Refund of ${invoice.description}`)
  expect(note.lines).toEqual(invoice.lines)
  const { lines } = readPdf(await pdfOf(customer, note.number))
  const day = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'Asia/Kolkata' })
  expect(lines).toContain(`Against invoice: ${invoice.number}`)
  expect(lines).toContain(`Date of that invoice: ${day.format(new Date(invoice.issued_at))}`)
})

test('a credit note of less than its invoice says that it is of a part, whatever number of records were sold', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { ...pack, billing: shop })).json()
  const paid = await world.box.pay(payment.id)
  await world.refund(paid?.id ?? '', 1_180)
  await world.refund(paid?.id ?? '')
  const [rest, part, invoice] = await documentsOf(customer)
  for (const note of [rest, part]) {
    const description = `Part refund of ${invoice.description}`
    expect(note).toMatchObject({ description, lines: [{ description, quantity: null, net: note.net }] })
  }
  expect([rest.total, part.total]).toEqual([116_820, 1_180])
  expect(readPdf(await pdfOf(customer, part.number)).lines.join(' ')).toContain(part.description)
})

test('documents are the same bytes whatever happens after them: refunds, other details, purchases, erasure; then no key or session reaches them, and operators do', async () => {
  const acts = fc.shuffledSubarray(['refund', 'change', 'buy', 'refund a little'] as const, { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(acts, fc.boolean(), async (order, erases) => {
      const customer = await newCustomer(api, database)
      const paymentId = await pay(await world.call('POST', '/api/credits/purchase', customer, pack))
      const [{ number }] = await documentsOf(customer)
      const issued = await pdfOf(customer, number)
      expect(issued.subarray(0, 5).toString()).toBe('%PDF-')
      for (const act of order) {
        if (act === 'refund') await world.refund(paymentId, 10_000)
        if (act === 'change') await world.call('PUT', '/api/users/me/billing', customer, shop)
        if (act === 'buy') await pay(await world.call('POST', '/api/credits/purchase', customer, pack))
        if (act === 'refund a little') await world.refund(paymentId, 333)
      }
      expect(await pdfOf(customer, number)).toEqual(issued)
      if (!erases) return
      const { email } = (await world.call('GET', '/api/users/me', customer)).json()
      await world.call('DELETE', '/api/users/me/account', customer, { confirm: email })
      expect((await world.call('GET', `/api/invoices/${number}/pdf`, customer)).statusCode).toBe(401)
      const [kept] = await database.db.query<{ pdf: Buffer; billing: unknown }>(
        'SELECT pdf, billing FROM orders.invoice JOIN access.account USING (account_id) WHERE number = $1',
        [number],
      )
      expect(kept).toEqual({ pdf: issued, billing: null })
      const told = await api.get(`/admin/invoices/${number}/pdf`, operatorToken)
      expect([told.statusCode, told.rawPayload]).toEqual([200, issued])
      const found = (await api.get(`/admin/invoices/${number}`, operatorToken)).json()
      expect(found).toMatchObject({ number, user_id: customer.accountId, buyer: { name: billingOfTests.legalName } })
    }),
    { numRuns: 6 },
  )
})

test('the command line lists, shows and exports documents with their PDFs, and says who looked', async () => {
  const customer = await newCustomer(api, database)
  await world.refund(await pay(await world.call('POST', '/api/credits/purchase', customer, pack)), 10_000)
  const [note, invoice] = await documentsOf(customer)
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-invoices-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { url: DATABASE_URL } = database
  const variables = { DATABASE_URL, PANJI_SECRET_KEY: secretKey.reveal(), PANJI_DATA_DIR: dataDir }
  const panji = panjiProgram(variables)
  const { accountId } = customer
  const listed = await panji.json('invoices', 'list', '--search', accountId)
  expect(listed.answer).toMatchObject([
    { ...note, user_id: accountId },
    { ...invoice, user_id: accountId },
  ])
  const inOrder = [note.number, invoice.number].sort()
  const exported = await panji.json('invoices', 'export', '--search', accountId)
  expect((exported.answer as { number: string }[]).map(({ number }) => number)).toEqual(inOrder)
  const csv = (await panji.run('invoices', 'export', '--search', accountId)).stdout.split('\r\n').slice(1, 3)
  expect(csv.map((line) => line.slice(0, invoice.number.length))).toEqual(inOrder)
  expect(await panji.json('invoices', 'list', '--month', '2020-01')).toMatchObject({ code: 0, answer: [] })
  const file = join(dataDir, 'invoice.pdf')
  const shown = await panji.json('invoices', 'show', invoice.number, '--pdf', file)
  expect(shown.answer).toMatchObject(invoice)
  expect(readFileSync(file)).toEqual(await pdfOf(customer, invoice.number))
  const again = await panji.run('invoices', 'show', invoice.number, '--pdf', file)
  expect([again.code === 0, again.stderr]).toEqual([false, expect.stringContaining('already exists')])
  const told = (await panji.run('invoices', 'show', invoice.number)).stdout
  expect(told).toMatch(/^total: +1180\.00$/m)
  const none = await panji.run('invoices', 'show', 'PI-0000-0000000')
  expect([none.code === 0, none.stderr]).toEqual([false, expect.stringContaining('There is no invoice')])
  const rows = await database.db.query<{ operation: string }>(
    `SELECT DISTINCT operation FROM access.audit WHERE operation LIKE 'panji invoices %' AND data_class = 'accounts' ORDER BY 1`,
  )
  expect(rows.map(({ operation }) => operation)).toEqual(
    ['export', 'list', 'show'].map((verb) => `panji invoices ${verb}`),
  )
})

test('an export of more documents than one read takes has each of them once, in the order of their numbers', async () => {
  const { accountId } = await newCustomer(api, database)
  await issuedInvoice(database.db, accountId)
  const nothingStays = new Error('nothing stays')
  const exporting = database.db.transaction(async (tx) => {
    // Numbers without their counter.
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    const copied = 'description, lines, sac, rate, place_of_supply, seller, buyer, net, cgst, sgst, igst, total, pdf'
    await tx.execute(
      sql`INSERT INTO orders.invoice (number, series, financial_year, serial, account_id, reference, ${copied})
       SELECT 'PI-0001-' || lpad(n::text, 7, '0'), series, '0001', n, account_id, 'copy:' || n, ${copied}
       FROM orders.invoice, generate_series(1, 2000) AS n WHERE account_id = $1`,
      [accountId],
    )
    const numbers = (await Array.fromAsync(invoicePages(tx, { search: accountId }))).flat().map(({ number }) => number)
    expect(numbers).toHaveLength(2001)
    expect(numbers).toEqual([...new Set(numbers)].sort())
    throw nothingStays
  })
  await expect(exporting).rejects.toBe(nothingStays)
})
