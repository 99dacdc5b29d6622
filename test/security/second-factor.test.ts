/** An operator with a second factor: the stolen token alone opens nothing, and neither does a code that was seen. */
import { expect, test } from 'vitest'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '../../src/access/second-factor.ts'
import { codeAt, newTotpSecret, otpauthUrl, stepOf } from '../../src/access/totp.ts'
import type { BegunSecondFactor } from '../../src/access/totp-secrets.ts'
import { Secret } from '../../src/domain/secret.ts'
import { rotateSecretKey } from '../../src/secrets/rotate.ts'
import { freshAddress, operatorToken, secretKey, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

let added = 0
async function newOperator(role = 'operator') {
  const name = `olga${++added}`
  const reply = await api.post('/admin/operators', operatorToken, { name, role })
  return { name, token: reply.json<{ token: string }>().token }
}

const begin = (name: string) => database.db.transaction((tx) => beginSecondFactor(tx, secretKey, name))
const confirm = (name: string, code: string) =>
  database.db.transaction((tx) => confirmSecondFactor(tx, secretKey, { name, code, actor: 'operator' }))

/** As an authenticator reads base32. */
function bytesOf({ secret }: BegunSecondFactor): Buffer {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
/** Codes are asked for ahead of the clock, so that none is too old when it arrives: a step before and after is taken. */
const present = () => Math.floor(Date.now() / 30_000)

/** An operator whose second factor is in force, confirmed by the code of now. */
async function enrolled() {
  const operator = await newOperator()
  const secret = bytesOf(await begin(operator.name))
  await confirm(operator.name, codeAt(secret, present()))
  return { ...operator, secret }
}

const signIn = (payload: object) =>
  api.app.inject({ method: 'POST', url: '/console/session', payload, remoteAddress: freshAddress() })
const bearer = (url: string, token: string) =>
  api.app.inject({ url, headers: { authorization: `Bearer ${token}` }, remoteAddress: freshAddress() })

test('the token alone opens neither console nor /admin nor /metrics, and with a code the console, once for each code', async () => {
  const { token, secret } = await enrolled()
  for (const reply of [await signIn({ token }), await bearer('/admin/users', token), await bearer('/metrics', token)]) {
    expect([reply.statusCode, reply.json().error_code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    expect(reply.cookies).toEqual([])
  }
  const totp = codeAt(secret, present() + 1)
  const replies = await Promise.all([1, 2, 3].map(() => signIn({ token, totp })))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 401, 401])
  const session = replies.find(({ statusCode }) => statusCode === 201)
  const [cookie] = session?.cookies ?? []
  const opened = await api.app.inject({
    url: '/admin/users',
    headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'x-csrf-token': session?.json().csrf_token },
  })
  expect(opened.statusCode).toBe(200)
})

test('a code of another operator, of yesterday, or with the token of nobody opens nothing', async () => {
  const [one, other] = [await enrolled(), await enrolled()]
  for (const totp of [codeAt(other.secret, present()), codeAt(one.secret, present() - 2_880)]) {
    const reply = await signIn({ token: one.token, totp })
    expect([reply.statusCode, reply.json().error_code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  }
  const nobody = await signIn({ token: `panji_op_${'x'.repeat(43)}`, totp: codeAt(one.secret, present()) })
  expect([nobody.statusCode, nobody.json().error_code]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED'])
})

test('guessing codes is slowed down for that operator, in the audit log, and for nobody else', async () => {
  const [guessed, other] = [await enrolled(), await enrolled()]
  const right = [-1, 0, 1, 2, 3, 4].map((step) => codeAt(guessed.secret, present() + step))
  const wrong =
    ['000000', '000001', '000002', '000003', '000004', '000005', '000006'].find((code) => !right.includes(code)) ?? ''
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await signIn({ token: guessed.token, totp: wrong })).statusCode)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  expect((await signIn({ token: guessed.token, totp: codeAt(guessed.secret, present() + 1) })).statusCode).toBe(429)
  expect((await signIn({ token: other.token, totp: codeAt(other.secret, present() + 1) })).statusCode).toBe(201)
  const auditLog = await api.get(`/admin/audit?kind=refusal&actor=operator:${guessed.name}`, operatorToken)
  expect(auditLog.json<{ data: { subject: string }[] }>().data.map(({ subject }) => subject)).toContain(
    'SECOND_FACTOR_REQUIRED',
  )
})

test('a second factor that was begun and never confirmed locks nobody out; a wrong code confirms none', async () => {
  const { name, token } = await newOperator()
  const first = bytesOf(await begin(name))
  expect((await bearer('/admin/users', token)).statusCode).toBe(200)
  const second = bytesOf(await begin(name))
  await expect(confirm(name, codeAt(first, present()))).rejects.toMatchObject({ code: 'UNPROCESSABLE' })
  expect((await signIn({ token })).statusCode).toBe(201)
  await confirm(name, codeAt(second, present()))
  expect((await bearer('/admin/users', token)).statusCode).toBe(401)
  await expect(begin(name)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('who has lost the authenticator is let in again by another owner at the command line, and the audit log tells of it', async () => {
  const { name, token } = await enrolled()
  await database.db.transaction((tx) => removeSecondFactor(tx, name, 'operator'))
  expect((await signIn({ token })).statusCode).toBe(201)
  const { data } = (await api.get(`/admin/audit?kind=act`, operatorToken)).json<{
    data: { action: string; subject: string }[]
  }>()
  const acts = data.filter(({ subject }) => subject === `operator:${name}`).map(({ action }) => action)
  expect(acts).toEqual(['sign in to console', 'remove second factor', 'add second factor', 'add operator'])
  await expect(begin('default')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('opens under the next secret key once that is rotated, and under the former no more', async () => {
  const { name } = await newOperator()
  const secret = bytesOf(await begin(name))
  const next = new Secret('the-next-secret-key-of-the-tests')
  const undone = new Error('undone')
  const rotated = database.db.transaction(async (tx) => {
    await rotateSecretKey(tx, secretKey, next)
    const given = { name, code: codeAt(secret, present()), actor: 'operator' } as const
    await expect(confirmSecondFactor(tx, secretKey, given)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    await confirmSecondFactor(tx, next, given)
    throw undone
  })
  await expect(rotated).rejects.toBe(undone)
})

test('lies sealed, and the API may neither begin, confirm nor remove one', async () => {
  const { name } = await newOperator()
  const begun = await begin(name)
  const rows = await database.db.query<{ text: string }>('SELECT t::text AS text FROM access.operator_totp t')
  const told = rows.map(({ text }) => text).join()
  expect(told).not.toContain(begun.secret)
  expect(told).not.toContain(bytesOf(begun).toString('hex'))
  for (const statement of [
    'DELETE FROM access.operator_totp',
    'UPDATE access.operator_totp SET confirmed_at = NULL',
    'INSERT INTO access.operator_totp SELECT * FROM access.operator_totp',
  ]) {
    await expect(database.as('panji_api').execute(statement)).rejects.toMatchObject({ code: '42501' })
  }
})

test('codes are those of RFC 6238, for this half minute and the two next to it', () => {
  const secret = Buffer.from('12345678901234567890')
  // The last six digits of the vectors of its appendix B for SHA-1.
  const vectors = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of vectors)
    expect([seconds, codeAt(secret, Math.floor(seconds / 30))]).toEqual([seconds, code])
  expect([-60, -30, 0, 30, 60].map((late) => stepOf(secret, '005924', (1_234_567_890 + late) * 1000))).toEqual([
    undefined,
    41_152_263,
    41_152_263,
    41_152_263,
    undefined,
  ])
  expect(stepOf(secret, '5924', 1_234_567_890_000)).toBeUndefined()
  expect(otpauthUrl(secret, 'asha')).toBe(
    'otpauth://totp/Panji:asha?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Panji',
  )
  expect(newTotpSecret()).toHaveLength(20)
})
