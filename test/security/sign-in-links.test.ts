/** Links that sign an account in by e-mail: what they open, what they tell an anonymous client, and where their codes lie. */
import { beforeEach, expect, test } from 'vitest'
import { signInLinks } from '../../config/sign-in.ts'
import { eraseAccount } from '../../src/access/erase-account.ts'
import { sendMails } from '../../src/notify/mails/send-mails.ts'
import type { Mailer, OutgoingMail } from '../../src/notify/mails/smtp.ts'
import { freshAddress, type LoggedIn, newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const publicUrl = 'https://panji.example.in'
const database = useTestDatabase()
const api = useApi(database)
const signal = new AbortController().signal

// Whoever sends, sends all that waits.
beforeEach(() => database.db.execute('DELETE FROM deliver.mail'))

const emailOf = async ({ accountId }: LoggedIn) => {
  const [row] = await database.db.query<{ email: string }>('SELECT email FROM access.account WHERE account_id = $1', [
    accountId,
  ])
  return row?.email ?? ''
}
const ask = (email: string, remoteAddress = freshAddress(), headers: object = {}) =>
  api.app.inject({
    method: 'POST',
    url: '/app/session/link',
    payload: { email },
    remoteAddress,
    headers: { ...headers },
  })
const enter = (code: string, remoteAddress = freshAddress()) =>
  api.app.inject({ method: 'POST', url: '/app/session', payload: { code }, remoteAddress })

/** What the worker sends now. */
async function mailed(): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail) {
      sent.push(mail)
      return { sent: true }
    },
    close() {},
  }
  await sendMails(database.as('panji_worker'), mailer, signal, publicUrl)
  return sent
}
const codeIn = (mail: OutgoingMail | undefined) => /\/app#code=([\w-]{43})\n/.exec(mail?.text ?? '')?.[1] ?? ''

async function linked(): Promise<{ readonly customer: LoggedIn; readonly code: string }> {
  const customer = await newCustomer(api, database)
  const email = await emailOf(customer)
  expect((await ask(email)).statusCode).toBe(202)
  const mail = (await mailed()).find(({ to }) => to === email)
  expect(mail?.text).toContain(publicUrl)
  return { customer, code: codeIn(mail) }
}

test('a link signs the browser in, once, as the person whose address it is, whatever becomes of the API keys', async () => {
  const { customer, code } = await linked()
  const both = await Promise.all([enter(code), enter(code)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401])
  const session = both.find(({ statusCode }) => statusCode === 201)
  expect(session?.json()).toMatchObject({
    user_id: customer.accountId,
    scopes: expect.arrayContaining(['read']),
    person: { email: await emailOf(customer), role: 'admin' },
  })
  const [cookie] = session?.cookies ?? []
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  await database.db.execute('UPDATE access.api_key SET revoked_at = now() WHERE account_id = $1', [customer.accountId])
  expect((await api.app.inject({ url: '/app/session', headers })).statusCode).toBe(200)
  await database.db.execute('UPDATE access.session SET revoked_at = now() WHERE account_id = $1', [customer.accountId])
  expect((await api.app.inject({ url: '/app/session', headers })).statusCode).toBe(401)
  expect((await enter(code)).json()).toMatchObject({ error_code: 'INVALID_SIGN_IN_CODE' })
})

test('the answer is the same whether or not there is an account, whether it is suspended, erased, or asked too often, and whether somebody was invited or removed', async () => {
  const living = await newCustomer(api, database)
  const suspended = await newCustomer(api, database)
  await database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [
    suspended.accountId,
  ])
  const invited = await newCustomer(api, database)
  await database.db.execute('UPDATE access.person SET joined_at = NULL WHERE account_id = $1', [invited.accountId])
  const removed = await newCustomer(api, database)
  await database.db.execute('UPDATE access.person SET removed_at = now() WHERE account_id = $1', [removed.accountId])
  const asked = await Promise.all([living, suspended, invited, removed].map(emailOf))
  const emails = [...asked, 'nobody@example.in', 'x@y']
  const erased = await newCustomer(api, database)
  emails.push(await emailOf(erased))
  await database.db.transaction((tx) => eraseAccount(tx, erased.accountId))
  const answers = await Promise.all(emails.map((email) => ask(email)))
  for (const answer of answers) {
    expect(answer.statusCode).toBe(202)
    expect(answer.body).toBe(answers[0]?.body)
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect((await mailed()).map(({ to }) => to)).toEqual([await emailOf(living)])
  const again = await Promise.all(Array.from({ length: 5 }, () => ask(emails[0] ?? '')))
  expect(new Set(again.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
    new Set([`202 ${answers[0]?.body}`]),
  )
})

test('few links are sent about one e-mail address, and few for one address of callers, however they are asked for', async () => {
  const customer = await newCustomer(api, database)
  const email = await emailOf(customer)
  let sent = 0
  for (let n = 0; n < signInLinks.perEmailMax + 3; n += 1) {
    expect((await ask(n % 2 === 0 ? email : ` ${email.toUpperCase()}`)).statusCode).toBe(202)
    sent += (await mailed()).filter(({ to }) => to === email).length
  }
  expect(sent).toBe(signInLinks.perEmailMax)

  const caller = freshAddress()
  const others = await Promise.all(
    Array.from({ length: signInLinks.perAddressMax + 2 }, () => newCustomer(api, database)),
  )
  const emails = await Promise.all(others.map(emailOf))
  await Promise.all(emails.map((each) => ask(each, caller)))
  expect((await mailed()).filter(({ to }) => emails.includes(to))).toHaveLength(signInLinks.perAddressMax)
})

test('the code lies nowhere but hashed, and is over in a quarter of an hour', async () => {
  const { code, customer } = await linked()
  const tables = await database.db.query<{ text: string }>(
    `SELECT c::text AS text FROM access.sign_in_code c UNION ALL SELECT m::text FROM deliver.mail m
     UNION ALL SELECT r::text FROM access.sign_in_request r`,
  )
  const stored = JSON.stringify(tables)
  expect(code).toMatch(/^[\w-]{43}$/)
  expect(stored).not.toContain(code)
  expect(stored).not.toContain(await emailOf(customer))
  const [row] = await database.db.query<{ minutes: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM access.sign_in_code WHERE account_id = $1`,
    [customer.accountId],
  )
  expect(row?.minutes).toBe(15)
  await database.db.execute('UPDATE access.sign_in_code SET expires_at = now()')
  expect((await enter(code)).statusCode).toBe(401)
})

test('whoever sends e-mails makes a code for one that waits and was asked for, and for nothing else', async () => {
  const customer = await newCustomer(api, database)
  const codes = () => database.db.query('SELECT encode(code_sha256, $1) FROM access.sign_in_code ORDER BY 1', ['hex'])
  const make = (mailId: string) =>
    database.as('panji_worker').query(`SELECT access.make_sign_in_code($1, sha256('loot'), 15) AS made`, [mailId])
  const before = await codes()
  const mails = await database.db.query<{ id: string; state: string }>(
    `INSERT INTO deliver.mail (account_id, type, about, data, state, created_at, next_attempt_at)
     SELECT $1, type, state || type || age, '{}', state, now() - age * interval '1 minute', now() + interval '1 day'
     FROM (VALUES ('sign-in', 'sent', 0), ('sign-in', 'pending', 16), ('order.leads_ready', 'pending', 0)) AS of (type, state, age)
     RETURNING mail_id AS id`,
    [customer.accountId],
  )
  for (const { id } of [...mails, { id: customer.accountId }]) expect(await make(id)).toEqual([{ made: false }])
  expect(await codes()).toEqual(before)
})

test('a suspended account gets in by no link that was sent before', async () => {
  const { code, customer } = await linked()
  await database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [
    customer.accountId,
  ])
  expect((await enter(code)).json()).toMatchObject({ error_code: 'ACCOUNT_SUSPENDED' })
})

test('guessed codes are counted like other wrong credentials, and a page of another origin asks for nothing', async () => {
  const guesser = freshAddress()
  for (const code of ['x', 'A'.repeat(43), 'A'.repeat(44), '../../x'])
    expect((await enter(code, guesser)).json()).toMatchObject({ error_code: 'INVALID_SIGN_IN_CODE' })
  const foreign = await ask('nobody@example.in', freshAddress(), { 'sec-fetch-site': 'cross-site' })
  expect(foreign.json()).toMatchObject({ error_code: 'CSRF_TOKEN_MISSING' })
})

test('an e-mail that could not be sent in time is not sent later', async () => {
  const customer = await newCustomer(api, database)
  await ask(await emailOf(customer))
  await database.db.execute(
    `UPDATE deliver.mail SET created_at = now() - interval '16 minutes' WHERE account_id = $1`,
    [customer.accountId],
  )
  expect(await mailed()).toEqual([])
})
