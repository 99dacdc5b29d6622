/** People of an account, signed in with a browser by a link from an operator. */
import { createHash, randomBytes } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { codeAt } from '../../src/access/totp.ts'
import type { AccountRole } from '../../src/domain/account-role.ts'
import { freshAddress, type TestApi } from './api.ts'
import type { TestDatabase } from './database.ts'

export interface SignedIn {
  readonly personId: string
  readonly email: string
  /** Cookie and CSRF token. */
  readonly headers: Readonly<Record<string, string>>
  /** A call of the signed-in browser. */
  call(method: InjectOptions['method'], url: string, payload?: object): ReturnType<TestApi['get']>
}

let people = 0

/** A person who was invited and has not joined. */
export async function invited(database: TestDatabase, accountId: string, role: AccountRole) {
  const email = `person${++people}@example.com`
  const [row] = await database.db.query<{ personId: string }>(
    `INSERT INTO access.person (account_id, email, name, role) VALUES ($1, $2, $3, $4) RETURNING person_id AS "personId"`,
    [accountId, email, `Person ${people}`, role],
  )
  return { personId: row?.personId ?? '', email }
}

/** The code of a sign-in link for this person. */
export async function codeFor(database: TestDatabase, personId: string, minutes = 15): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await database.db.execute(
    `INSERT INTO access.sign_in_code (code_sha256, account_id, person_id, expires_at)
     SELECT $2, account_id, person_id, now() + make_interval(mins => $3) FROM access.person WHERE person_id = $1`,
    [personId, createHash('sha256').update(code).digest(), minutes],
  )
  return code
}

export const enterBy = (api: TestApi, code: string) =>
  api.app.inject({ method: 'POST', url: '/app/session', payload: { code }, remoteAddress: freshAddress() })

export async function signInAs(api: TestApi, database: TestDatabase, personId: string, email = ''): Promise<SignedIn> {
  const session = await enterBy(api, await codeFor(database, personId))
  const [cookie] = session.cookies
  if (session.statusCode !== 201 || !cookie) throw new Error(`signing in was answered ${session.statusCode}`)
  const { csrf_token: token } = session.json<{ csrf_token: string }>()
  const headers = { cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': token }
  return {
    ...{ personId, email, headers },
    call: (method = 'GET', url, payload) =>
      api.app.inject({ method, url, headers, remoteAddress: '10.0.0.1', ...(payload && { payload }) }),
  }
}

export async function newPerson(
  api: TestApi,
  database: TestDatabase,
  accountId: string,
  role: AccountRole,
): Promise<SignedIn> {
  const { personId, email } = await invited(database, accountId, role)
  return signInAs(api, database, personId, email)
}

/** The person for whom the account was made. */
export async function ownerOf(api: TestApi, database: TestDatabase, accountId: string): Promise<SignedIn> {
  const [owner] = await database.db.query<{ personId: string; email: string }>(
    `SELECT person_id AS "personId", email FROM access.person WHERE account_id = $1 ORDER BY invited_at LIMIT 1`,
    [accountId],
  )
  return signInAs(api, database, owner?.personId ?? '', owner?.email)
}

/** An active second factor, whose codes nobody knows. */
export const addFactor = (database: TestDatabase, personId: string) =>
  database.db.execute(
    `INSERT INTO access.person_totp (person_id, secret_encrypted, confirmed_at) VALUES ($1, '', now())`,
    [personId],
  )

export const secretIn = (base32: string): Buffer => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The current code, or that of the step before or after, by the database's clock. */
export async function totpOf(database: TestDatabase, secret: string, step: -1 | 0 | 1): Promise<string> {
  const [row] = await database.db.query<{ step: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) / 30)::int AS step',
  )
  return codeAt(secretIn(secret), (row?.step ?? 0) + step)
}

/** Adds a second factor as the person would; uses the code of the previous step. */
export async function factorOf(
  database: TestDatabase,
  person: SignedIn,
): Promise<{ readonly secret: string; readonly recovery: readonly string[] }> {
  const { secret } = (await person.call('POST', '/api/second-factor', {})).json<{ secret: string }>()
  const confirmed = await person.call('POST', '/api/second-factor/confirm', {
    totp: await totpOf(database, secret, -1),
  })
  if (confirmed.statusCode !== 200) throw new Error(`confirming was answered ${confirmed.statusCode}`)
  return { secret, recovery: confirmed.json<{ recovery_codes: string[] }>().recovery_codes }
}
