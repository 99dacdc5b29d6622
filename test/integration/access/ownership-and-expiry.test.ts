/** What an account or an operator has is its own, and only as long as it lasts: each statement asked without the API. */
import { describe, expect, test } from 'vitest'
import { budgets, dailyLimits, quotas } from '../../../config/plans.ts'
import { offers } from '../../../config/sales.ts'
import { accountUsage } from '../../../src/access/account-usage.ts'
import { changePlan, getAccount, suspendAccount, unsuspendAccount } from '../../../src/access/accounts.ts'
import { detailUsage } from '../../../src/access/admission.ts'
import { findApiKeyOwner, issueApiKey } from '../../../src/access/api-keys.ts'
import { blockAddress, isNoted, isRefused, noteAddress, unblockAddress } from '../../../src/access/blocked-addresses.ts'
import {
  endConsoleSession,
  environmentMarks,
  findConsoleSession,
  listConsoleSessions,
  openConsoleSession,
} from '../../../src/access/console-sessions.ts'
import { lastForwarded, noteForwarded } from '../../../src/access/forwarded-notes.ts'
import { grantEntitlement, listGrants, revokeGrant } from '../../../src/access/grants.ts'
import { claimIdempotencyKey, keepAnswer } from '../../../src/access/idempotency.ts'
import { createKnownCredentials } from '../../../src/access/known-credentials.ts'
import { requireKnownPlaces } from '../../../src/access/known-places.ts'
import { addOperator, listOperators } from '../../../src/access/manage-operators.ts'
import { listSessions } from '../../../src/access/manage-sessions.ts'
import { listActivatedOffers, listAvailableOffers, syncOffers } from '../../../src/access/offers.ts'
import { proofOf } from '../../../src/access/operator-proof.ts'
import { createOperatorAuthenticator, type KnownOperator } from '../../../src/access/operators.ts'
import { createRecordReturns, recordBudget, reserveRecords } from '../../../src/access/record-budget.ts'
import { logIn, refreshAccessToken } from '../../../src/access/sessions.ts'
import { createKeyRing } from '../../../src/access/signing-keys.ts'
import type { Queryable } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { findSealingKey } from '../../../src/secrets/canary.ts'
import { createCustomer, freshAddress, secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()
const newAccount = () => createCustomer(database.db)
const auditLogOf = (action: string, subject: string) =>
  database.db.query('SELECT detail FROM access.audit WHERE action = $1 AND subject = $2', [action, subject])

/** A session of a key of the account, without a login. */
async function openSession(accountId: string, endsIn = '1 hour'): Promise<string> {
  const { apiKeyId } = await issueApiKey(database.db, accountId)
  const [session] = await database.db.query<{ id: string }>(
    `INSERT INTO access.session (account_id, api_key_id, refresh_sha256, scopes, expires_at)
     VALUES ($1, $2, sha256(gen_random_uuid()::text::bytea), '{}', now() + $3::interval) RETURNING session_id AS id`,
    [accountId, apiKeyId, endsIn],
  )
  if (!session) throw new Error('no session was opened')
  return session.id
}
const idsOfSessions = async (accountId: string) =>
  (await listSessions(database.db, accountId)).map(({ sessionId }) => sessionId)

describe('an account', () => {
  test('changes its own plan, once, and the audit log says so once', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    for (const _twice of [1, 2])
      expect(await changePlan(database.db, one.accountId, { plan: 'premium' })).toMatchObject({ plan: 'premium' })
    expect(await auditLogOf('change plan', one.accountId)).toEqual([
      { detail: { plan: 'premium', isEnterprise: false } },
    ])
    expect(await getAccount(database.db, other.accountId)).toMatchObject({ plan: 'free' })
    expect(await changePlan(database.db, one.accountId, { isEnterprise: true })).toMatchObject({
      plan: 'premium',
      isEnterprise: true,
    })
  })

  test('that is suspended loses its sessions for good, keeps the first reason, and takes nothing from another', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const kept = await openSession(other.accountId)
    await openSession(one.accountId)
    await suspendAccount(database.db, one.accountId, 'unpaid')
    const { suspendedAt } = await suspendAccount(database.db, one.accountId, 'again')
    expect(await getAccount(database.db, one.accountId)).toMatchObject({ suspendedAt, suspendedReason: 'unpaid' })
    expect(await getAccount(database.db, other.accountId)).toMatchObject({ suspendedAt: null })
    expect(await auditLogOf('suspend account', one.accountId)).toEqual([
      { detail: { sessionsRevoked: 1 } },
      { detail: { sessionsRevoked: 0 } },
    ])
    await unsuspendAccount(database.db, one.accountId)
    expect([await idsOfSessions(one.accountId), await idsOfSessions(other.accountId)]).toEqual([[], [kept]])
  })

  test('sees its own open sessions, neither ended nor expired ones', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const open = await openSession(one.accountId)
    await openSession(one.accountId, '-1 second')
    await openSession(other.accountId)
    expect(await idsOfSessions(one.accountId)).toEqual([open])
  })

  test('has no more sessions than its plan allows: those that are over go first, then the oldest', async () => {
    await database.db.transaction((tx) => findSealingKey(tx, secretKey))
    const { accountId, apiKey } = await newAccount()
    const keyRing = createKeyRing(secretKey)
    const { refreshToken } = await logIn(database.db, keyRing, apiKey, '10.0.0.1')
    const others = (count: number, change: string) =>
      database.db.execute(
        `INSERT INTO access.session (account_id, api_key_id, refresh_sha256, scopes, created_at, expires_at, revoked_at)
         SELECT account_id, api_key_id, sha256(gen_random_uuid()::text::bytea), '{}', now() + interval '1 second', ${change}
         FROM access.api_key, generate_series(1, $2::integer) WHERE account_id = $1`,
        [accountId, count],
      )
    await others(quotas.free.sessions - 3, `now() + interval '1 hour', NULL`)
    await others(2, `now() + interval '1 hour', now()`)
    await others(2, `now() - interval '1 second', NULL`)
    await logIn(database.db, keyRing, apiKey, '10.0.0.1')
    expect(await refreshAccessToken(database.db, keyRing, refreshToken, '10.0.0.1')).toEqual(expect.any(String))
    expect(await idsOfSessions(accountId)).toHaveLength(quotas.free.sessions - 1)
    await others(1, `now() + interval '1 hour', NULL`)
    await logIn(database.db, keyRing, apiKey, '10.0.0.1')
    expect(await idsOfSessions(accountId)).toHaveLength(quotas.free.sessions)
    await expect(refreshAccessToken(database.db, keyRing, refreshToken, '10.0.0.1')).rejects.toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    })
  })

  test('is known by its living key alone, and a key that begins like another is drawn again', async () => {
    const { accountId } = await newAccount()
    const ownerOf = async (apiKey: string) =>
      (await database.db.transaction((tx) => findApiKeyOwner(tx, apiKey)))?.accountId
    const mark = (apiKeyId: string, change: string) =>
      database.db.execute(`UPDATE access.api_key SET ${change} WHERE api_key_id = $1`, [apiKeyId])
    for (const change of ['revoked_at = now()', `expires_at = now() - interval '1 second'`]) {
      const { apiKeyId, apiKey } = await issueApiKey(database.db, accountId)
      expect(await ownerOf(apiKey)).toBe(accountId)
      await mark(apiKeyId, change)
      expect(await ownerOf(apiKey)).toBeUndefined()
    }
    let drawn = 0
    const colliding: Queryable = {
      ...database.db,
      query: async (statement, values = []) => {
        const insert = typeof statement === 'string' && statement.includes('INSERT INTO access.api_key')
        // Somebody else's key of the same beginning comes first.
        if (insert && drawn++ === 0) {
          const [, , ...same] = values
          await database.db.query(statement, [accountId, Buffer.from('another'), ...same])
        }
        return database.db.query(statement, values)
      },
    }
    const { apiKey } = await issueApiKey(colliding, accountId)
    expect(drawn).toBe(2)
    expect(await ownerOf(apiKey)).toBe(accountId)
    await database.db.execute('UPDATE access.account SET erased_at = now() WHERE account_id = $1', [accountId])
    expect(await ownerOf(apiKey)).toBeUndefined()
  })

  test('sees what itself used, today always and no day that is further back than asked', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    for (const [accountId, used] of [
      [one.accountId, 3],
      [other.accountId, 7],
    ] as const) {
      await database.db.execute(
        `INSERT INTO access.daily_usage (account_id, kind, day, used)
         SELECT $1, 'details', (now() AT TIME ZONE 'UTC')::date - back, $2 FROM unnest('{1,2}'::integer[]) AS back`,
        [accountId, used],
      )
    }
    await database.db.execute(
      `INSERT INTO access.daily_usage (account_id, kind, day, used)
       VALUES ($1, 'search', (now() AT TIME ZONE 'UTC')::date, 40), ($2, 'details', (now() AT TIME ZONE 'UTC')::date, 41)`,
      [one.accountId, other.accountId],
    )
    const counted = async (accountId: string) => (await detailUsage(database.db, { accountId, plan: 'free' })).used
    expect([await counted(one.accountId), await counted(other.accountId)]).toEqual([0, 41])
    const { days, limits } = await accountUsage(database.db, one.accountId, 2)
    expect(days.map(({ used }) => used)).toEqual([{ search: 40 }, { details: 3 }])
    expect(limits).toMatchObject({ ...dailyLimits.free, feed_records: budgets.free.feedRecords })
  })

  test('has the budget of records of a feed that it bought, not of one that is over, to come, revoked or on trial', async () => {
    const { accountId } = await newAccount()
    const account = { accountId, plan: 'free', isEnterprise: false } as const
    const give = async (change = 'starts_at = starts_at') => {
      const grant = { accountId, dataset: 'gst', grantedBy: 'subscription' } as const
      const { entitlementId } = await grantEntitlement(database.db, grant)
      await database.db.execute(`UPDATE access.entitlement SET ${change} WHERE entitlement_id = $1`, [entitlementId])
    }
    for (const change of [
      `expires_at = now() - interval '1 second'`,
      `starts_at = now() + interval '1 day'`,
      'revoked_at = now()',
      'trial = true',
    ])
      await give(change)
    expect(await recordBudget(database.db, account)).toMatchObject({ limit: budgets.free.feedRecords, used: 0 })
    await give()
    expect(await recordBudget(database.db, account)).toMatchObject({ limit: budgets.premium.feedRecords })
    const reserved = await reserveRecords(database.db, account, 100)
    const giveBackRecords = createRecordReturns(database.db)
    expect(await giveBackRecords(account, reserved, 40)).toMatchObject({ used: 60 })
    expect(await giveBackRecords(account, reserved, 0)).toEqual(reserved)
    expect(await recordBudget(database.db, account)).toMatchObject({ used: 60 })
    expect(await recordBudget(database.db, { ...account, plan: 'premium' })).toMatchObject({
      limit: budgets.premium.feedRecords,
    })
  })

  test('has a grant revoked once, and none that is over', async () => {
    const { accountId } = await newAccount()
    const grant = { accountId, dataset: 'gst', grantedBy: 'subscription' } as const
    const { entitlementId: over } = await grantEntitlement(database.db, grant)
    await database.db.execute(
      `UPDATE access.entitlement SET expires_at = now() - interval '1 second' WHERE entitlement_id = $1`,
      [over],
    )
    const { entitlementId: living } = await grantEntitlement(database.db, grant)
    for (const id of [over, living, living]) await revokeGrant(database.db, accountId, id)
    const revoked = (await listGrants(database.db, accountId)).filter(({ revokedAt }) => revokedAt !== null)
    expect(revoked.map(({ grantId }) => grantId)).toEqual([living])
    expect(await auditLogOf('revoke grant', accountId)).toHaveLength(1)
  })
})

test('an answer is kept under its own key of its own account, and only by the claim that holds it', async () => {
  await database.db.transaction((tx) => findSealingKey(tx, secretKey))
  const [one, other] = [await newAccount(), await newAccount()]
  const asked = { requestSha256: Buffer.from('request'), answerWithEffect: true, secretKey }
  const claimOf = async (accountId: string, key: string) => {
    const result = await claimIdempotencyKey(database.db, { ...asked, accountId, key })
    if (result.kind !== 'claimed') throw new Error(`${key} was answered`)
    return result.claim
  }
  const claim = await claimOf(one.accountId, 'a')
  await claimOf(one.accountId, 'b')
  await claimOf(other.accountId, 'a')
  const keep = (claimId: string) =>
    database.db.transaction((tx) => keepAnswer(tx, { ...claim, claimId }, { status: 201, body: '{}' }, secretKey))
  await expect(keep('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
  await keep(claim.claimId)
  expect(
    await database.db.query('SELECT account_id, key FROM access.idempotency WHERE status IS NOT NULL', []),
  ).toEqual([{ account_id: one.accountId, key: 'a' }])
  expect(await claimIdempotencyKey(database.db, { ...asked, accountId: one.accountId, key: 'a' })).toMatchObject({
    kind: 'answered',
    status: 201,
  })
  // What answers apart from its effect may have had it, so its key stays held.
  const apart = { ...asked, answerWithEffect: false, accountId: one.accountId, key: 'b' }
  await database.db.execute(`UPDATE access.idempotency SET held_until = now() - interval '1 minute' WHERE key = 'b'`)
  await expect(claimIdempotencyKey(database.db, apart)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
  expect(await claimIdempotencyKey(database.db, { ...apart, answerWithEffect: true })).toMatchObject({
    kind: 'claimed',
  })
})

describe('an address', () => {
  test('blocked by hand keeps its first reason, and takes the place of what the system noted', async () => {
    const address = freshAddress()
    await noteAddress(database.db, address, 'too many failures')
    expect([await isNoted(database.db, address), await isRefused(database.db, address)]).toEqual([true, false])
    const first = await blockAddress(database.db, { address, reason: 'abuse', by: 'operator' })
    expect(await blockAddress(database.db, { address, reason: 'another', by: 'operator' })).toEqual(first)
    await noteAddress(database.db, address, 'too many failures')
    expect(first).toMatchObject({ reason: 'abuse' })
    expect(await isRefused(database.db, address)).toBe(true)
    expect(await isRefused(database.db, freshAddress())).toBe(false)
    // Once by the system, once by hand.
    expect(await auditLogOf('block address', address)).toHaveLength(2)
    await unblockAddress(database.db, address)
    expect([await isNoted(database.db, address), await isRefused(database.db, address)]).toEqual([false, false])
  })

  test('inside a blocked network stays refused, and the refusal to unblock it names the network', async () => {
    const [inside, network] = ['198.51.100.9', '198.51.100.0/24']
    const unblock = (address: string) => database.db.transaction((tx) => unblockAddress(tx, address))
    await blockAddress(database.db, { address: network, reason: 'abuse', by: 'operator' })
    for (const listedItself of [false, true]) {
      if (listedItself) await blockAddress(database.db, { address: inside, reason: 'abuse', by: 'operator' })
      await expect(unblock(inside)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(network),
      })
      expect(await isNoted(database.db, inside)).toBe(listedItself)
    }
    await unblock(network)
    await unblock(inside)
    expect(await isRefused(database.db, inside)).toBe(false)
    await expect(unblock(inside)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that forwards calls is recorded once a day and reported for a week', async () => {
    for (const address of ['10.9.0.1', '10.9.0.2']) await noteForwarded(database.db, address)
    const notes = () => database.db.query(`SELECT FROM access.audit WHERE action = 'see untrusted proxy'`)
    expect(await notes()).toHaveLength(1)
    expect(await lastForwarded(database.db)).toMatchObject({ address: '10.9.0.1' })
  })
})

describe('operators', () => {
  const owner = { name: 'default', token: new Secret('token of the owner') }
  const marks = environmentMarks([owner], secretKey)
  const known: KnownOperator = { id: 'environment', name: 'default', role: 'owner' }
  const stored = async (name: string): Promise<KnownOperator & { token: string }> => {
    const { token } = await addOperator(database.db, { name, role: 'operator', namesTaken: [], actor: 'operator' })
    const operator = await createOperatorAuthenticator(database.db, [owner])(token, freshAddress())
    return { ...operator, token }
  }
  const open = (operator: KnownOperator & { readonly token?: string }) =>
    openConsoleSession(database.db, marks, operator, {
      ip: '10.0.0.1',
      replaces: undefined,
      proof: operator.token === undefined ? undefined : proofOf(operator.token),
    })

  test('see and end their own sessions at a browser, an owner those of all, and none that is over', async () => {
    const [asha, ravi] = [await stored('asha'), await stored('ravi')]
    const [ofOwner, ofAsha, ofRavi, over] = [await open(known), await open(asha), await open(ravi), await open(asha)]
    await database.db.execute(
      `UPDATE access.console_session SET expires_at = now() - interval '1 second' WHERE session_id = $1`,
      [over.sessionId],
    )
    const seen = async (operator: KnownOperator) =>
      (await listConsoleSessions(database.db, operator)).map(({ sessionId }) => sessionId).toSorted()
    expect(await seen(asha)).toEqual([ofAsha.sessionId])
    expect(await seen(known)).toEqual([ofOwner, ofAsha, ofRavi].map(({ sessionId }) => sessionId).toSorted())
    expect(await findConsoleSession(database.db, marks, over.secret)).toBeUndefined()
    expect((await findConsoleSession(database.db, marks, ofAsha.secret))?.operator).toMatchObject({ name: 'asha' })
    expect((await findConsoleSession(database.db, marks, ofOwner.secret))?.operator).toMatchObject({ role: 'owner' })
    const another = environmentMarks([{ ...owner, token: new Secret('another token') }], secretKey)
    for (const others of [another, new Map()])
      expect(await findConsoleSession(database.db, others, ofOwner.secret)).toBeUndefined()

    await expect(endConsoleSession(database.db, asha, ofRavi.sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await endConsoleSession(database.db, asha, ofAsha.sessionId)
    expect(await seen(known)).toEqual([ofOwner, ofRavi].map(({ sessionId }) => sessionId).toSorted())
    await endConsoleSession(database.db, known, ofRavi.sessionId)
    await expect(endConsoleSession(database.db, known, ofRavi.sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await seen(ravi)).toEqual([])
  })

  test('have the minute of their last use noted, each at its own row', async () => {
    const [meera, kiran] = [await stored('meera'), await stored('kiran')]
    const uses = async () => {
      const used = (await listOperators(database.db)).filter(({ name }) => [meera.name, kiran.name].includes(name))
      return Object.fromEntries(used.map(({ name, lastUsedAt }) => [name, lastUsedAt?.getTime()]))
    }
    const before = await uses()
    const authenticate = createOperatorAuthenticator(database.db, [owner])
    await authenticate(meera.token, freshAddress())
    expect(await uses()).toEqual(before)
    await database.db.execute(`UPDATE access.operator SET last_used_at = now() - interval '2 minutes'`)
    const aged = await uses()
    await authenticate(meera.token, freshAddress())
    const after = await uses()
    expect(after['kiran']).toBe(aged['kiran'])
    expect(after['meera']).toBeGreaterThan(aged['meera'] ?? Infinity)
  })
})

test('a question for known credentials that the database refuses fails, and the next one is answered', async () => {
  let failures = 1
  const failing: Queryable = {
    ...database.db,
    query: async (statement, values) => {
      if (failures-- > 0) throw new Error('the database is gone')
      return database.db.query(statement, values)
    },
  }
  const credentials = createKnownCredentials(failing)
  const { accountId } = await newAccount()
  const { apiKey } = await issueApiKey(database.db, accountId)
  await expect(credentials.apiKey(apiKey)).rejects.toThrow('the database is gone')
  expect([await credentials.apiKey(apiKey), await credentials.apiKey('never issued')]).toEqual([true, false])
})

test('places of a grant are places: PIN codes that are there, districts that are there and in one of its states', async () => {
  const required = (places: Partial<Parameters<typeof requireKnownPlaces>[1]>) =>
    requireKnownPlaces(database.db, { states: [], districts: [], pincodes: [], ...places })
  const refused = (places: Parameters<typeof required>[0], message: string) =>
    expect(required(places)).rejects.toMatchObject({ code: 'UNPROCESSABLE', message: expect.stringContaining(message) })
  await refused({ pincodes: ['012345'] }, 'is no PIN code')
  // Without a directory or a register, nobody can tell.
  await required({ districts: ['Nowhere'], pincodes: ['999999'] })
  await addRegistrations(database.db, 'director', [
    { state: 'Maharashtra', district: 'Sindhudurg', pincode: '416602', registeredOn: '2020-01-01' },
  ])
  await required({ districts: ['sindhudurg'], pincodes: ['999999'] })
  await refused({ districts: ['Sindudurag'] }, 'Write Sindhudurg instead')
  await database.db.execute(
    `INSERT INTO reference.pincode (id, pincode, state, district, offices, first_run_id, last_run_id, as_of)
     VALUES ('403001|North Goa', '403001', 'Goa', 'North Goa', 1, 1, 1, '2026-01-01')`,
  )
  await required({ states: ['Goa'], districts: ['north  goa'], pincodes: ['403001'] })
  await required({ districts: ['North Goa'] })
  await refused({ pincodes: ['403001', '999999'] }, 'PIN code 999999')
  await refused({ districts: ['North Gao'] }, 'Write North Goa instead')
  await refused({ districts: ['Sindudurag'] }, 'Write Sindhudurg instead')
  await refused({ districts: ['Atlantis'] }, 'No district is named')
  await refused({ states: ['Kerala'], districts: ['North Goa'] }, 'is in Goa, not in Kerala')
})

test('an offer that left the list is off sale, stays with who has it, and comes back with the list', async () => {
  const { accountId } = await newAccount()
  await database.db.execute(
    `INSERT INTO access.offer (offer_id, name, description, price, duration_days, features)
     VALUES ('of-last-year', 'Of last year', '', 0, 30, '{}')`,
  )
  await database.db.execute(
    `INSERT INTO access.activated_offer (account_id, offer_id, expires_at) VALUES ($1, 'of-last-year', now() + interval '1 day')`,
    [accountId],
  )
  await database.db.execute('UPDATE access.offer SET retired_at = now() WHERE offer_id = $1', [offers[0]?.id])
  await syncOffers(database.db)
  const ids = async () => (await listAvailableOffers(database.db)).map(({ id }) => id).toSorted()
  expect(await ids()).toEqual(offers.map(({ id }) => id).toSorted())
  expect((await listActivatedOffers(database.db, accountId)).map(({ id }) => id)).toEqual(['of-last-year'])
})
