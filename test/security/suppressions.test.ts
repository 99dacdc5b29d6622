/** People who object: their e-mail address, mobile number or DIN leaves in no answer, from the next statement on. */
import { copyFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireLeads } from '../../src/deliver/push/leads-ready.ts'
import { gstinCheckDigit } from '../../src/domain/gstin.ts'
import { requestUndo } from '../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { creditBalance, refundItems } from '../../src/orders/ledger.ts'
import { deadLetterQueue } from '../../src/queue/queues.ts'
import { eraseObjected } from '../../src/suppression/erase-objected.ts'
import { createCustomer, type LoggedIn, logInCustomer, operatorToken, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, orderBody, paidOrder } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { useIngest } from '../support/ingest.ts'
import { insertCompany, insertDirector, raiseVersion } from '../support/registry-rows.ts'
import { tablesThatHold } from '../support/tables-that-hold.ts'

const database = useTestDatabase()
const api = useApi(database)
const { ingest, file, queue, dependencies } = useIngest(database)
const [email, office, mobile] = ['reach@example.in', 'office@example.in', '+919812345678']
const other = '00054321'
let customer: LoggedIn

const erase = (payload: object) =>
  api.app.inject({
    method: 'DELETE',
    url: '/admin/suppressions',
    headers: { authorization: `Bearer ${operatorToken}` },
    payload,
  })
async function suppress(values: object): Promise<{ added: number; data: { id: string }[] }> {
  const reply = await api.post('/admin/suppressions', operatorToken, values)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json()
}
const get = async (url: string) => {
  const reply = await api.get(url, customer.token)
  return { status: reply.statusCode, body: reply.json(), text: reply.body }
}

beforeAll(async () => {
  await fillRegisters(database.db)
  await insertDirector(database.db, {
    din: other,
    full_name: 'RAVI KAMAT',
    last_name: 'KAMAT',
    first_name: 'RAVI',
    state: 'Goa',
  })
  for (const entity of ['company', 'director', 'gst']) await raiseVersion(database.db, entity)
})
// What an account bought before costs it nothing again, so each test has a customer of its own.
beforeEach(async () => {
  api.queue.sent.length = 0
  customer = await logInCustomer(api, await createCustomer(database.db, { isEnterprise: true }))
  await openFeeds(database.db, customer.accountId)
  await addCredits(database.db, customer.accountId, 500)
})
afterEach(async () => {
  await database.db.execute('DELETE FROM access.suppression')
  await raiseVersion(database.db, 'director')
})

describe('the list', () => {
  test('holds no value that was given, in no table, log of acts or job, and each value once however it is written', async () => {
    // Asking for the audit log writes what was gathered of readings.
    expect((await api.get('/admin/audit?limit=1', operatorToken)).statusCode).toBe(200)
    const [before] = await database.db.query<{ last: number }>('SELECT max(audit_id) AS last FROM access.audit')
    const first = await suppress({
      email: [' Asha.Kamat@Example.IN ', 'asha.kamat@example.in'],
      mobile: ['098123 45678', '+91 98123-45678'],
      din: ['12345'],
      reason: 'asked by letter',
      reference: 'OBJ-17',
    })
    expect(first.added).toBe(3)
    const again = await suppress({ email: ['ASHA.KAMAT@example.in'], mobile: ['9812345678'], din: [known.din] })
    expect(again.added).toBe(0)
    expect(new Set(again.data.map(({ id }) => id)).size).toBe(3)

    const kept = await database.db.query(
      `SELECT row_to_json(s)::text AS row FROM access.suppression s
       UNION ALL SELECT row_to_json(a)::text FROM access.audit a WHERE audit_id > $1`,
      [before?.last ?? 0],
    )
    expect(kept.length).toBeGreaterThan(3)
    const everything = JSON.stringify([
      kept,
      api.queue.sent,
      (await api.get('/admin/suppressions', operatorToken)).json(),
    ])
    for (const value of ['asha.kamat', '98123', known.din, '12345"'])
      expect(everything.toLowerCase()).not.toContain(value)
    const listed = (await api.get('/admin/suppressions?kind=mobile', operatorToken)).json()
    expect(listed).toMatchObject({
      total: 1,
      data: [{ kind: 'mobile', reason: 'asked by letter', reference: 'OBJ-17' }],
    })
    expect(api.queue.sent.filter(({ queue }) => queue === 'recall-leads')).toHaveLength(1)
  })

  test('refuses what is none of its kind, and gives back what is removed', async () => {
    for (const values of [{ email: ['no address'] }, { mobile: ['12'] }, { din: ['123456789'] }, { din: ['x'] }, {}]) {
      expect((await api.post('/admin/suppressions', operatorToken, values)).statusCode).toBeGreaterThanOrEqual(400)
    }
    const { data } = await suppress({ email: [office], din: [other] })
    expect((await erase({ email: [office.toUpperCase()] })).json()).toEqual({ removed: 1 })
    expect((await erase({ id: data.map(({ id }) => id) })).json()).toEqual({ removed: 1 })
    expect((await erase({ email: [office] })).json()).toEqual({ removed: 0 })
    expect((await get(`/api/company/details?cin=${known.cin}`)).body.data.email).toBe(office)
    expect((await get(`/api/company/director-details?din=${other}`)).status).toBe(200)
  })

  test('is for operators', async () => {
    expect((await api.post('/admin/suppressions', customer.token, { email: [email] })).statusCode).toBe(401)
    expect((await api.get('/admin/suppressions', customer.token)).statusCode).toBe(401)
  })

  test('a connection without the key reads nothing personal once the list has entries', async () => {
    await suppress({ email: [email] })
    const blind = database.db.transaction(async (tx) => {
      await tx.execute(`SET LOCAL panji.suppression_key = ''`)
      return tx.query(`SELECT access.unless_suppressed('email', 'somebody@example.in')`)
    })
    await expect(blind).rejects.toThrow('no key of the suppression list')
  })

  test('whose key was lost withholds every contact until it is removed', async () => {
    await suppress({ email: ['somebody@example.in'] })
    await database.db.execute(`UPDATE access.suppression SET key_id = 'of another key'`)
    expect((await get(`/api/company/details?cin=${known.cin}`)).body.data.email).toBeNull()
    expect((await api.post('/admin/suppressions', operatorToken, { email: [email] })).statusCode).toBe(409)
  })
})

describe('a contact that somebody objected to', () => {
  test('is null in details of today and of a day, while another one of the record shows', async () => {
    const url = `/api/company/details?cin=${known.cin}`
    expect((await get(url)).body.data.email).toBe(office)
    await suppress({ email: [office] })
    expect((await get(url)).body.data).toMatchObject({ CIN: known.cin, email: email })
    await suppress({ email: [email] })
    expect((await get(url)).body.data).toMatchObject({ CIN: known.cin, email: null })
  })

  test('of an item nobody else can be reached under is not charged', async () => {
    await suppress({ email: [email], mobile: [mobile] })
    const before = await creditBalance(database.db, customer.accountId)
    const reply = await api.post('/api/orders/normal', customer.token, orderBody)
    expect(reply.statusCode).toBe(201)
    // The company's own address is left; director and registration have none.
    expect(await creditBalance(database.db, customer.accountId)).toBe(before - 1)
  })

  test('between order and build leaves no lead and no charge', async () => {
    const before = await creditBalance(database.db, customer.accountId)
    const reply = await api.post('/api/orders/normal', customer.token, orderBody)
    const { _id: orderId } = reply.json<{ _id: string }>()
    expect(await creditBalance(database.db, customer.accountId)).toBe(before - 3)
    await suppress({ email: [email], mobile: [mobile] })
    const build = () => buildLeads(database.as('panji_worker'), { orderId, leadSource: 'Panji', refund: refundItems })
    expect(await build()).toEqual({ built: 1 })
    expect(await build()).toEqual({ built: 0 })
    expect(await creditBalance(database.db, customer.accountId)).toBe(before - 1)
    const { body, text } = await get(`/api/crm/orders/${orderId}/leads`)
    expect(body.total).toBe(1)
    expect(text).not.toContain(email)
    expect(text).not.toContain(mobile)
  })

  test('leaves by no lead that was built before: flat, nested, JSON and CSV', async () => {
    const orderId = await paidOrder(database.db, api, customer)
    const ways = [
      `/api/crm/orders/${orderId}/leads`,
      `/api/crm/orders/${orderId}/leads?format=nested`,
      `/api/orders/${orderId}/export?format=json`,
      `/api/orders/${orderId}/export?format=csv`,
    ]
    const read = async () =>
      (await Promise.all(ways.map((url) => api.get(url, customer.token)))).map(({ body }) => body)
    for (const text of await read()) expect(text).toContain(email)
    await suppress({ email: [email, office], mobile: [mobile] })
    for (const text of await read()) for (const value of [email, office, mobile]) expect(text).not.toContain(value)
    expect((await get(ways[0] ?? '')).body.leads).toHaveLength(3)
    await erase({ email: [email, office], mobile: [mobile] })
    for (const text of await read()) expect(text).toContain(email)
  })

  test('is not told by a new lead, which is not charged', async () => {
    await suppress({ email: [email], mobile: [mobile] })
    const before = await creditBalance(database.db, customer.accountId)
    const reply = await api.post('/api/crm/newlead', customer.token, { entity_type: 'gst', identifier: known.gstin })
    expect([reply.statusCode, reply.json().lead]).toEqual([201, null])
    expect(await creditBalance(database.db, customer.accountId)).toBe(before)
  })

  test('is counted in a quote as what is not to be contacted, and not where another way is open', async () => {
    const quoted = async () => {
      const items = [{ type: 'gst', number: known.gstin }]
      const { types } = (await api.post('/api/orders/quote', customer.token, { items })).json()
      const [{ exist, reachable, by_email, by_mobile, suppressed, credits_needed }] = types
      return { exist, reachable, by_email, by_mobile, suppressed, credits_needed }
    }
    const open = { exist: 1, reachable: 1, by_email: 1, by_mobile: 1, suppressed: 0, credits_needed: 1 }
    expect(await quoted()).toEqual(open)
    await suppress({ email: [email] })
    expect(await quoted()).toEqual({ ...open, by_email: 0 })
    await suppress({ mobile: [mobile] })
    expect(await quoted()).toEqual({
      ...open,
      ...{ reachable: 0, by_email: 0, by_mobile: 0, suppressed: 1, credits_needed: 0 },
    })
  })

  test.each(['flat', 'nested'])('is told by no %s answer that was kept under an Idempotency-Key', async (format) => {
    const order = () =>
      api.post(
        `/api/crm/newlead?format=${format}`,
        customer.token,
        { entity_type: 'gst', identifier: known.gstin },
        { 'idempotency-key': `kept-${format}` },
      )
    const first = await order()
    expect([first.statusCode, first.body.includes(email), first.body.includes(mobile)]).toEqual([201, true, true])
    await suppress({ email: [email, office], mobile: [mobile] })
    const withheld = await order()
    expect([withheld.statusCode, withheld.headers['idempotency-replayed']]).toEqual([201, 'true'])
    for (const value of [email, office, mobile]) expect(withheld.body).not.toContain(value)
    expect(withheld.json()).toMatchObject({ order_id: first.json().order_id, lead: expect.any(Object) })
    await erase({ email: [email, office], mobile: [mobile] })
    expect((await order()).body).toBe(first.body)
  })

  test('is withheld after the same file came in again, and stays in the register', async () => {
    const llpin = 'AAC-3965'
    const list = file(
      'contacts.csv',
      `entity,identifier,email,mobile\ncompany,${llpin},Asha@Objects.example,98220 11111\n`,
    )
    await ingest('contacts', list)
    const url = `/api/company/details?cin=${llpin}`
    expect((await get(url)).body.data.email).toBe('asha@objects.example')
    await suppress({ email: ['asha@objects.example'] })
    expect((await get(url)).body.data.email).toBeNull()
    await ingest('contacts', list, { force: true })
    await database.db.execute(`DELETE FROM registry.contact WHERE identifier = $1`, [llpin])
    await ingest('contacts', list, { force: true })
    expect((await get(url)).body.data.email).toBeNull()
    const rows = await database.db.query(`SELECT email FROM registry.contact WHERE identifier = $1`, [llpin])
    expect(rows).toEqual([{ email: 'asha@objects.example' }])
  })

  test('is null in histories, before and after a change', async () => {
    const cin = 'U85100GA2022PTC015077'
    const changes = [
      { kind: 'insert', before: null, after: null, day: '2025-01-01' },
      {
        kind: 'update',
        before: { email: 'old@objects.example' },
        after: { email: 'new@example.in' },
        day: '2025-02-01',
      },
    ]
    await insertCompany(database.db, { cin, name: 'SAL LIMITED', email: 'new@example.in' })
    for (const { kind, before, after, day } of changes) {
      await database.db.execute(
        `INSERT INTO ingest.change (entity, identifier, kind, run_id, as_of, before, after)
         VALUES ('company', $1, $2, 1, $3, $4, $5)`,
        [cin, kind, day, before && JSON.stringify(before), after && JSON.stringify(after)],
      )
    }
    const url = `/api/company/history?cin=${cin}`
    expect((await get(url)).text).toContain('old@objects.example')
    await suppress({ email: ['old@objects.example'] })
    const { text, body } = await get(url)
    expect(text).not.toContain('old@objects.example')
    expect(text).toContain('new@example.in')
    expect(body.total).toBe(2)
    const asOf = await get(`/api/company/details?cin=${cin}&as_of=2025-01-15`)
    expect([asOf.status, asOf.body.data.email]).toEqual([200, null])
  })
})

describe('what is stored of an address, a number and a director that stand on the list', () => {
  const cin = 'U85100GA2002PTC003101'
  const reach = 'kept-of@stored.example'
  const din = '00077777'
  const told = ['kept-of@stored', '9822077077']
  const master = (address: string, name = 'STORED LIMITED') =>
    file(
      'master.csv',
      [
        'CORPORATE_IDENTIFICATION_NUMBER,COMPANY_NAME,COMPANY_STATUS,COMPANY_CLASS,COMPANY_CATEGORY,COMPANY_SUB_CATEGORY,DATE_OF_REGISTRATION,REGISTERED_STATE,AUTHORIZED_CAP,PAIDUP_CAPITAL,INDUSTRIAL_CLASS,PRINCIPAL_BUSINESS_ACTIVITY_AS_PER_CIN,REGISTERED_OFFICE_ADDRESS,REGISTRAR_OF_COMPANIES,EMAIL_ADDR,LATEST_YEAR_ANNUAL_RETURN,LATEST_YEAR_FINANCIAL_STATEMENT',
        `${cin},${name},ACTV,Private,Company limited by shares,Non-govt company,05-01-2002,Goa,300000,100000,85100,Services,12 BEACH ROAD GOA 403516,RoC-Goa,${address},31-03-2017,31-03-2017`,
        '',
      ].join('\n'),
    )
  const contacts = () =>
    file(
      'contacts.csv',
      `entity,identifier,email,mobile,phone,website\ncompany,${cin},${reach},98220 77077,,stored.example\ncompany,U8510,${reach},98220 77077,,\n`,
    )
  const load = async () => {
    await ingest('mca-companies', master(reach), { mode: 'delta', asOf: '2018-01-31', force: true })
    await ingest('contacts', contacts(), { mode: 'delta', force: true })
  }
  const erasure = (options = {}) => eraseObjected(database.as('panji_worker'), options)

  test('is erased from contacts, companies, history, rejects and leads, and again after the next import', async () => {
    await ingest('mca-companies', master('before@stored.example', 'STORED ONCE LIMITED'), {
      mode: 'delta',
      asOf: '2017-12-31',
    })
    await load()
    const items = [{ type: 'company', name: 'STORED LIMITED', number: cin }]
    const order = (await api.post('/api/orders/normal', customer.token, { ...orderBody, items })).json()
    await buildLeads(database.as('panji_worker'), { orderId: order._id, leadSource: 'Panji', refund: refundItems })
    await suppress({ email: ['somebody.else@example.in'] })
    await erasure()
    const all = ['ingest.change', 'ingest.reject', 'orders.lead', 'registry.company', 'registry.contact']
    expect(await tablesThatHold(database.db, told)).toEqual(all)

    await suppress({ email: [reach], mobile: ['98220 77077'] })
    await erasure()
    expect(await tablesThatHold(database.db, told)).toEqual([])
    // What is nobody's stays.
    expect(await tablesThatHold(database.db, ['before@stored'])).toEqual(['ingest.change'])
    expect((await get(`/api/crm/orders/${order._id}/leads`)).body.leads).toMatchObject([
      { CIN: cin, Website: expect.stringContaining('stored.example'), Email: null, Mobile: null },
    ])
    await load()
    expect((await get(`/api/company/details?cin=${cin}`)).body.data.email).toBeNull()
    await erasure()
    expect(await tablesThatHold(database.db, told)).toEqual([])

    // After a removal they come with the next import.
    await erase({ email: [reach], mobile: ['98220 77077'] })
    await load()
    expect((await get(`/api/company/details?cin=${cin}`)).body.data.email).toBe(reach)
    expect(await tablesThatHold(database.db, told)).toEqual(all.filter((name) => name !== 'orders.lead'))
  })

  test('is erased of a director: contact and history, while the register keeps what it publishes', async () => {
    const directors = (name: string) =>
      file('directors.csv', `DIN,FullName,DINStatus,DINApprovalDate,State\n${din},${name},Approved,2024-06-01,Goa\n`)
    await ingest('mca-directors', directors('KEPT OLDNAME'), { mode: 'delta', asOf: '2024-07-01' })
    await ingest('mca-directors', directors('KEPT NEWNAME'), { mode: 'delta', asOf: '2024-08-01' })
    const reached = file('contacts.csv', `entity,identifier,email,mobile\ndirector,${din},own@stored.example,\n`)
    await ingest('contacts', reached, { mode: 'delta' })
    await suppress({ din: [din] })
    await erasure()
    expect(await tablesThatHold(database.db, ['oldname', 'own@stored'])).toEqual([])
    expect(await tablesThatHold(database.db, ['newname'])).toEqual(['registry.director'])
    expect((await get(`/api/company/director-details?din=${din}`)).status).toBe(404)
  })

  test('is erased of a run that had failed before the erasure and was run again after it', async () => {
    const input = file('late.csv', '')
    await expect(ingest('contacts', input, { mode: 'delta', force: true })).rejects.toThrow()
    const [run] = await database.db.query<{ id: number; status: string }>(
      'SELECT run_id AS id, status FROM ingest.run ORDER BY run_id DESC LIMIT 1',
    )
    if (run?.status !== 'failed') return expect.unreachable()
    await database.db.execute(
      `INSERT INTO pgboss.job (name, data, source_name, source_id, source_output, source_retry_count, source_created_on)
       VALUES ($1, $2, 'ingest-snapshot', gen_random_uuid(), '{}', 20, now())`,
      [deadLetterQueue, JSON.stringify({ runId: run.id })],
    )
    await load()
    await suppress({ email: [reach], mobile: ['98220 77077'] })
    await erasure()
    await erasure()
    expect(await tablesThatHold(database.db, told)).toEqual([])

    copyFileSync(contacts(), input)
    expect(await runSnapshot(dependencies(), run.id)).toMatchObject({ status: 'succeeded' })
    expect(await tablesThatHold(database.db, told)).not.toEqual([])
    await erasure()
    expect(await tablesThatHold(database.db, told)).toEqual([])
  })

  test('is erased of records that an undo in progress gave it back', async () => {
    await load()
    await ingest('mca-companies', master('other@stored.example'), { mode: 'delta', asOf: '2018-02-28' })
    const wrong = await ingest(
      'contacts',
      file('contacts.csv', `entity,identifier,email,mobile\ncompany,${cin},other@stored.example,98220 11111\n`),
      { mode: 'delta' },
    )
    expect(wrong).toMatchObject({ updated: 1 })
    const asked = { runId: wrong.run_id, through: false, reason: 'the wrong file', requestedBy: 'operator' } as const
    const { run_id: undoing } = await requestUndo(database.db, queue, asked)
    const reached = async (point: string) => {
      if (point !== 'undo-restored') return
      await suppress({ email: [reach], mobile: ['98220 77077'] })
      await erasure()
    }
    expect(await runSnapshot({ ...dependencies(), reached }, undoing)).toMatchObject({
      status: 'succeeded',
      updated: 1,
    })
    expect(await tablesThatHold(database.db, told)).not.toEqual([])
    await erasure()
    expect(await tablesThatHold(database.db, told)).toEqual([])
  })

  test('is left where the key of an entry was lost, and erased anew in a database that a backup was restored into', async () => {
    await load()
    await suppress({ email: [reach], mobile: ['98220 77077'] })
    await database.db.execute(`UPDATE access.suppression SET key_id = 'of another key'`)
    await erasure()
    expect(await tablesThatHold(database.db, told)).toContain('registry.contact')
    await database.db.execute(
      'UPDATE access.suppression SET key_id = access.suppression_key_id(), erased_through = 1000000',
    )
    await erasure()
    expect(await tablesThatHold(database.db, told)).toContain('registry.contact')
    await erasure({ again: true })
    expect(await tablesThatHold(database.db, told)).toEqual([])
  })
})

describe('a director who objected', () => {
  const totals = async () => ({
    filter: (await get('/api/company/director-filter?lastName=kamat')).body.total_results,
    feed: (await api.post('/api/recently-registered/directors', customer.token, { page: 1, limit: 10 })).json().total,
  })

  test('is as unknown as one that never was: details, history, of a day, filter, feed and order', async () => {
    await suppress({ din: [known.din] })
    const unknown = async (url: (din: string) => string) => {
      const [withheld, never] = [await get(url(known.din)), await get(url(known.missing.din))]
      expect([withheld.status, never.status]).toEqual([404, 404])
      const words = (body: { detail: string }) => body.detail.replaceAll(/\d{8}/g, 'DIN')
      expect(words(withheld.body)).toBe(words(never.body))
    }
    await unknown((din) => `/api/company/director-details?din=${din}`)
    await unknown((din) => `/api/company/director-details?din=${din}&as_of=2026-01-01`)
    await unknown((din) => `/api/company/director-history?din=${din}`)
    const order = await api.post('/api/orders/normal', customer.token, orderBody)
    expect([order.statusCode, order.json().index]).toEqual([404, 1])
  })

  test('is gone from filters and feeds, with the totals', async () => {
    const before = await totals()
    await suppress({ din: [known.din] })
    expect(before.filter).toBeGreaterThan(1)
    expect(before.feed).toBeGreaterThan(25)
    expect(await totals()).toEqual({ filter: before.filter - 1, feed: before.feed - 1 })
  })

  test('is gone from the company: its lead, and its officers of a day', async () => {
    const orderId = await paidOrder(database.db, api, customer)
    await suppress({ din: [known.din] })
    for (const url of [
      `/api/crm/orders/${orderId}/leads`,
      `/api/crm/orders/${orderId}/leads?format=nested`,
      `/api/orders/${orderId}/export?format=json`,
      `/api/orders/${orderId}/export?format=csv`,
    ]) {
      const { body } = await api.get(url, customer.token)
      expect(body).not.toContain(known.din)
      expect(body).not.toContain('ASHA')
    }
    for (const [entity, identifier] of [
      ['company', known.cin],
      ['directorship', `${known.cin}|${known.din}|Director|2022-11-23`],
    ]) {
      await database.db.execute(
        `INSERT INTO ingest.change (entity, identifier, kind, run_id, as_of) VALUES ($1, $2, 'insert', 1, '2025-01-01')`,
        [entity, identifier],
      )
    }
    const past = await get(`/api/company/details?cin=${known.cin}&as_of=2025-01-15`)
    expect([past.status, past.body.directors]).toEqual([200, []])
    const history = await get(`/api/company/history?cin=${known.cin}&include=directorships`)
    expect([history.status, history.body.total]).toEqual([200, 1])
    expect(history.text).not.toContain(known.din)
    const { leads } = (await get(`/api/crm/orders/${orderId}/leads`)).body
    expect(leads).toHaveLength(2)
    expect(leads[0]).toMatchObject({ CIN: known.cin, DirectorCount: 0, DirectorDINs: null, DirectorNames: null })
  })

  test('leaves the orders that hold the lead paid for, and ready to be pushed again, once it is erased', async () => {
    const orderId = await paidOrder(database.db, api, customer)
    const before = await creditBalance(database.db, customer.accountId)
    await suppress({ din: [known.din] })
    await eraseObjected(database.as('panji_worker'))
    await requireLeads(database.db, orderId)
    expect((await get(`/api/crm/orders/${orderId}/leads`)).body.leads).toHaveLength(2)
    expect(await creditBalance(database.db, customer.accountId)).toBe(before)
    expect((await get(`/api/orders/${orderId}`)).body.items[1]).toMatchObject({ has_contact: false, refunded: false })
    expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  })

  test('stays so where the register learns of the person later, by a file', async () => {
    const din = '07654321'
    const list = file(
      'directors.csv',
      `DIN,FullName,DINStatus,DINApprovalDate,State\n${din},ASHA NEW KAMAT,Approved,2024-06-01,Goa\n`,
    )
    await suppress({ din: [din] })
    const run = await ingest('mca-directors', list, { mode: 'delta' })
    expect(run).toMatchObject({ status: 'succeeded', inserted: 1 })
    expect((await get(`/api/company/director-details?din=${din}`)).status).toBe(404)
    expect((await get('/api/company/director-filter?din=07654321')).text).not.toContain('ASHA NEW')
    await erase({ din: [din] })
    expect((await get(`/api/company/director-details?din=${din}`)).status).toBe(200)
  })
})

describe('somebody who trades under the own name', () => {
  const pan = 'ABCPK1234L'
  const gstin = `30${pan}1Z${gstinCheckDigit(`30${pan}1Z`)}`
  const trader = {
    gstin,
    pan,
    legal_name: 'VASANTI ODDNAME KAMAT',
    trade_name: 'ODDNAME STORES',
    address: 'ODDHOUSE 7, MAPUSA',
  }
  const reach = 'vasanti@oddname.example'
  const told = ['oddname', 'oddhouse', reach, '9812300077']
  const taxpayers = (address = trader.address) =>
    file(
      'gst.csv',
      [
        'GSTIN,LegalName,TradeName,RegistrationStatus,RegistrationDate,State,Address',
        `${gstin},${trader.legal_name},${trader.trade_name},Active,2023-04-01,Goa,"${address}"`,
        '',
      ].join('\n'),
    )
  const contacts = () => file('contacts.csv', `entity,identifier,email,mobile\ngst,${gstin},${reach},98123 00077\n`)

  const whereHeld = () => tablesThatHold(database.db, told)
  const confirmed = async () => {
    const about = 'SELECT identifier FROM ingest.confirmation WHERE identifier LIKE $1 ORDER BY 1'
    return (await database.db.query<{ identifier: string }>(about, [`%${gstin}`])).map(({ identifier }) => identifier)
  }

  test('is erased from registers, contacts, history, leads and lists, and comes back by no file', async () => {
    await ingest('gst-taxpayers', taxpayers('ODDHOUSE 6, MAPUSA'), { mode: 'delta', asOf: '2025-01-01' })
    for (const asOf of ['2025-01-02', '2025-01-03']) {
      await ingest('gst-taxpayers', taxpayers(), { mode: 'delta', asOf, force: true })
      await ingest('contacts', contacts(), { mode: 'delta', asOf, force: true })
    }
    expect(await confirmed()).toEqual([gstin, `gst:${gstin}`])
    const items = [{ type: 'gst', name: trader.legal_name, number: gstin }]
    const order = (await api.post('/api/orders/normal', customer.token, { ...orderBody, items })).json()
    await buildLeads(database.as('panji_worker'), { orderId: order._id, leadSource: 'Panji', refund: refundItems })
    const leads = `/api/crm/orders/${order._id}/leads`
    expect((await get(leads)).text.toLowerCase()).toContain('oddname')
    expect((await get(`/api/gst/details?gstin=${gstin}`)).status).toBe(200)
    const entities = [{ identifier: gstin, name: trader.trade_name }]
    const watched = await api.post('/api/watchlist', customer.token, { name: 'Mine', watchlist_type: 'gst', entities })
    expect(watched.statusCode, watched.body).toBeLessThan(300)
    expect(await whereHeld()).toEqual([
      'access.watchlist_entity',
      'ingest.change',
      'orders.item',
      'orders.lead',
      'registry.contact',
      'registry.gst_taxpayer',
    ])

    expect((await suppress({ pan: [gstin.toLowerCase()] })).added).toBe(1)
    expect((await suppress({ pan: [pan] })).added).toBe(0)
    // What was bought shows no more at once, and is erased by the job that recalls it from CRMs.
    expect((await get(leads)).body).toMatchObject({ leads: [] })
    expect(await whereHeld()).toEqual(['orders.item', 'orders.lead'])
    expect(await confirmed()).toEqual([])
    await eraseObjected(database.as('panji_worker'))
    expect(await whereHeld()).toEqual([])
    for (const url of [`/api/gst/details?gstin=${gstin}`, `/api/gst/history?gstin=${gstin}`])
      expect([url, (await get(url)).status]).toEqual([url, 404])
    expect((await get('/api/gst/filter?tradeName=oddname')).text).not.toContain('ODDNAME')

    const again = await ingest('gst-taxpayers', taxpayers(), { mode: 'delta', force: true })
    expect(again).toMatchObject({ status: 'succeeded' })
    await ingest('contacts', contacts(), { force: true })
    expect(await whereHeld()).toEqual([])

    await erase({ pan: [pan] })
    await ingest('gst-taxpayers', taxpayers(), { mode: 'delta', force: true })
    expect((await get(`/api/gst/details?gstin=${gstin}`)).status).toBe(200)
    await database.db.execute('DELETE FROM registry.gst_taxpayer WHERE pan = $1', [pan])
  })

  test('is named by a PAN of a person, or a GSTIN that bears one, and by nothing else', async () => {
    for (const value of ['ABCCK1234L', '30ABCCK1234L1Z5', 'ABCPK1234', 'ABCPK12345'])
      expect([value, (await api.post('/admin/suppressions', operatorToken, { pan: [value] })).statusCode]).toEqual([
        value,
        400,
      ])
  })

  test('is erased by no caller without an entry of the list, nor where its key was lost', async () => {
    await ingest('gst-taxpayers', taxpayers(), { mode: 'delta', force: true })
    const eraseAs = (role: 'panji_api' | 'panji_worker') =>
      database.as(role).query('SELECT registry.erase_proprietors($1) AS erased', [[pan]])
    for (const role of ['panji_api', 'panji_worker'] as const) expect(await eraseAs(role)).toEqual([{ erased: 0 }])
    await suppress({ email: ['somebody@example.in'], pan: ['ABCPK9999L'] })
    await database.db.execute(`UPDATE access.suppression SET key_id = 'of another key'`)
    expect(await eraseAs('panji_worker')).toEqual([{ erased: 0 }])
    expect((await database.db.query('SELECT FROM registry.gst_taxpayer WHERE pan = $1', [pan])).length).toBe(1)
    await database.db.execute('DELETE FROM registry.gst_taxpayer WHERE pan = $1', [pan])
  })
})
