import { expect, test } from 'vitest'
import { rotateSigningKey } from '../../../src/access/signing-keys.ts'
import { sweepExpired } from '../../../src/access/sweep-expired.ts'
import { newCustomer, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

test('only what nobody can ask for any more is swept: a live session survives, and a second sweep finds nothing', async () => {
  const [live, dead] = [await newCustomer(api, database), await newCustomer(api, database)]
  await database.db.transaction((tx) => rotateSigningKey(tx, secretKey))
  for (const { token } of [live, dead]) await api.get('/api/users/me', token)
  await database.db.execute(`UPDATE access.session SET revoked_at = now() - interval '2 days' WHERE account_id = $1`, [
    dead.accountId,
  ])
  await database.db.execute(
    `UPDATE access.minute_usage SET minute = minute - interval '1 hour' WHERE account_id = $1`,
    [dead.accountId],
  )
  await database.db.execute(
    `INSERT INTO access.login_failure (address, key_prefix, failed_at) VALUES ('a', '', now() - interval '2 days')`,
  )
  await database.db.execute(`INSERT INTO access.daily_usage VALUES ($1, 'details', now()::date - 91, 5)`, [
    live.accountId,
  ])
  await database.db.execute(
    `INSERT INTO access.idempotency (account_id, key, request_sha256, claim_id, status, created_at) VALUES ($1, 'k', '\\x00', gen_random_uuid(), 201, now() - interval '2 days')`,
    [live.accountId],
  )
  await database.db.execute(
    `INSERT INTO access.console_session (secret_sha256, environment_name, environment_mark, expires_at)
     VALUES ('\\x00', 'default', '\\x00', now() - interval '2 days'), ('\\x01', 'default', '\\x00', now() + interval '1 hour')`,
  )
  await database.db.execute(
    `INSERT INTO access.console_code VALUES ('\\x00', now() - interval '2 days'), ('\\x01', now() + interval '1 minute')`,
  )
  expect(await sweepExpired(database.as('panji_worker'))).toEqual({
    sessions: 1,
    consoleSessions: 1,
    consoleCodes: 1,
    signInCodes: 0,
    signInRequests: 0,
    consents: 0,
    idempotentAnswers: 1,
    minuteUsage: 1,
    dailyUsage: 1,
    loginFailures: 1,
    signingKeys: 0,
  })
  expect(Object.values(await sweepExpired(database.as('panji_worker')))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  expect((await api.get('/api/users/me', live.token)).statusCode).toBe(200)
})
