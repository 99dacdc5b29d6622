/** The suppression list outlasts a rotation of the secret key, and works from the command line. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import { createCompanyDetailsReader } from '../../src/registry/details/company.ts'
import { SecretKeyChain } from '../../src/secrets/key-chain.ts'
import { forgetSealed, rotateSecretKey } from '../../src/secrets/rotate.ts'
import { ensureSuppressionKey, settingsOf, suppressionSettings } from '../../src/suppression/suppression-key.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { insertCompany } from '../support/registry-rows.ts'

const database = useTestDatabase()
const [old, next] = [new Secret('the-first-secret-key'), new Secret('the-second-secret-key')]
const home = panjiHome()
afterAll(() => home.remove())

beforeEach(async () => {
  await database.db.execute('DELETE FROM runtime.secret_canary')
  await database.db.execute('DELETE FROM runtime.suppression_key')
})
const ensure = (key: Secret) => database.db.transaction((tx) => ensureSuppressionKey(tx, key))

test('an entry is the HMAC of its kind and canonical value', async () => {
  const key = Buffer.alloc(32, 7)
  const db = openDb({ connectionString: database.url, applicationName: 'panji-test', settings: settingsOf(key) })
  try {
    for (const [kind, written, canonical] of [
      ['email', ' Asha@Example.IN ', 'asha@example.in'],
      ['mobile', '098123 45678', '+919812345678'],
      ['mobile', '+44 20 7946 0000', '+442079460000'],
      ['din', '00012345', '00012345'],
    ]) {
      const [row] = await db.query<{ hash: string }>(`SELECT encode(access.suppression_hash($1, $2), 'hex') AS hash`, [
        kind,
        written,
      ])
      expect(row?.hash).toBe(createHmac('sha256', key).update(`${kind}:${canonical}`).digest('hex'))
    }
  } finally {
    await db.close()
  }
})

test('a rotation of the secret key seals the key of the list anew and leaves it as it is', async () => {
  await ensure(old)
  const before = await suppressionSettings(database.db, old)
  expect(before['panji.suppression_key']).toMatch(/^[0-9a-f]{256}$/)
  await ensure(old)
  expect(await suppressionSettings(database.db, old)).toEqual(before)
  await database.db.transaction((tx) => rotateSecretKey(tx, new SecretKeyChain(old, [next]), next))
  expect(await suppressionSettings(database.db, next)).toEqual(before)
  expect(await suppressionSettings(database.db, old)).toEqual({})
})

test('where the secret key is lost the list gets another key, and its entries are told from those of the old one', async () => {
  await ensure(old)
  const before = await suppressionSettings(database.db, old)
  await database.db.transaction((tx) => forgetSealed(tx, next))
  expect(await suppressionSettings(database.db, next)).toEqual({})
  await ensure(next)
  const after = await suppressionSettings(database.db, next)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(after).not.toEqual(before)
})

test('panji suppress adds from options and a file, lists and removes; a value on the screen is none of a person', async () => {
  const env = { DATABASE_URL: database.url, PANJI_SECRET_KEY: old.reveal() }
  const panji = panjiHome(env)
  try {
    await insertCompany(database.db, { cin: 'U85100GA2022PTC015099', name: 'SAL LIMITED', email: 'asha@example.in' })
    const list = join(panji.dataDir, 'objections.txt')
    writeFileSync(list, 'mobile 98123 45678\n\ndin 12345\n')
    const values = ['--email', 'ASHA@example.in', '--file', list, '--reference', 'OBJ-17']
    const added = await panji.json('suppress', 'add', ...values)
    expect([added.code, added.answer], added.stderr).toEqual([0, { added: 3, known: 0, ids: expect.any(Array) }])
    expect((await panji.json('suppress', 'add', ...values)).answer).toMatchObject({ added: 0, known: 3 })
    const listed = await panji.run('suppress', 'list').ended
    expect(listed.stdout).toContain('OBJ-17')
    for (const value of ['asha@', '98123', '12345']) expect(listed.stdout.toLowerCase()).not.toContain(value)
    const settings = await suppressionSettings(database.db, old)
    const db = openDb({ connectionString: database.url, applicationName: 'panji-test', settings })
    const shown = await createCompanyDetailsReader(db)('U85100GA2022PTC015099')
    await db.close()
    expect(shown).toMatchObject({ companyName: 'SAL LIMITED', email: null })
    const lifted = ['--email', 'asha@example.in', '--din', '00012345', '--yes']
    const removed = await panji.json('suppress', 'remove', ...lifted)
    expect(removed.answer).toEqual({ removed: 2 })
    const wrong = await panji.run('suppress', 'add', '--email', 'secret-text').ended
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).not.toContain('secret-text')
  } finally {
    panji.remove()
  }
})
