import { describe, expect, test } from 'vitest'
import { offers } from '../../../config/sales.ts'
import { createAccount, findAccountId } from '../../../src/access/accounts.ts'
import { displayPrefixOf } from '../../../src/access/api-keys.ts'
import { accessEntry, effectiveScope } from '../../../src/access/entitlements.ts'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { revokeApiKey } from '../../../src/access/manage-keys.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

describe('accounts', () => {
  test('one living account per e-mail, in any case', async () => {
    const account = { email: 'Asha@example.com', plan: 'free', isEnterprise: false } as const
    const { accountId } = await createAccount(database.db, account)
    await expect(createAccount(database.db, { ...account, email: 'asha@EXAMPLE.com' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await database.db.query('SELECT username FROM access.account WHERE account_id = $1', [accountId])).toEqual([
      { username: 'Asha' },
    ])
  })
})

describe('api keys', () => {
  test('an account is found by a key or its beginning, unless keys of several accounts begin so', async () => {
    const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
    const beginning = displayPrefixOf(one.apiKey)
    expect(await findAccountId(database.db, `${beginning}xyz`)).toBe(one.accountId)
    await database.db.execute('UPDATE access.api_key SET display_prefix = $2 WHERE account_id = $1', [
      other.accountId,
      beginning,
    ])
    const message = `2 accounts have a key that begins with ${beginning}: `
    await expect(findAccountId(database.db, beginning)).rejects.toMatchObject({
      ...{ code: 'CONFLICT', message: expect.stringContaining(message) },
    })
    for (const { apiKey, accountId } of [one, other]) {
      expect(await findAccountId(database.db, ` ${apiKey} `)).toBe(accountId)
      expect(await findAccountId(database.db, accountId)).toBe(accountId)
    }
  })

  test('a key can be revoked through its own account only', async () => {
    const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
    const [key] = await database.db.query<{ id: string }>(
      'SELECT api_key_id AS id FROM access.api_key WHERE account_id = $1',
      [one.accountId],
    )
    for (const id of [key?.id ?? '', 'nonsense']) {
      await expect(revokeApiKey(database.db, other.accountId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect((await api.get('/api/users/me', one.token)).statusCode).toBe(200)
  })
})

describe('entitlements', () => {
  test('a grant of an unknown account, a wrong date or a turned window is refused', async () => {
    const { accountId } = await newCustomer(api, database)
    const grant = { accountId, dataset: 'gst', grantedBy: 'subscription' } as const
    for (const [wrong, code] of [
      [{ accountId: 'nobody' }, 'NOT_FOUND'],
      [{ from: '2024-13-01' }, 'UNPROCESSABLE'],
      [{ from: '2024-02-01', to: '2024-01-01' }, 'UNPROCESSABLE'],
      [{ expiresAt: new Date(Date.now() - 1) }, 'UNPROCESSABLE'],
    ] as const) {
      await expect(grantEntitlement(database.db, { ...grant, ...wrong })).rejects.toMatchObject({ code })
    }
  })

  test('an anchored grant without a start begins today', async () => {
    const { accountId } = await newCustomer(api, database)
    await grantEntitlement(database.db, {
      accountId,
      dataset: 'gst',
      grantedBy: 'subscription',
      anchored: true,
    })
    expect((await accessEntry(database.db, accountId, 'gst')).date_window).toEqual({
      from: indianDayOf(new Date()),
      to: null,
      anchored_to_subscription: true,
    })
  })

  test('expired grants and grants of the future count for nothing', async () => {
    const { accountId } = await newCustomer(api, database)
    const grant = { accountId, dataset: 'gst', grantedBy: 'offer' } as const
    await grantEntitlement(database.db, { ...grant, expiresAt: new Date(Date.now() + 60_000) })
    await grantEntitlement(database.db, grant)
    await database.db.execute(
      `UPDATE access.entitlement SET expires_at = now() - interval '1 second'
       WHERE account_id = $1 AND expires_at IS NOT NULL`,
      [accountId],
    )
    await database.db.execute(
      `UPDATE access.entitlement SET starts_at = now() + interval '1 day' WHERE account_id = $1 AND expires_at IS NULL`,
      [accountId],
    )
    expect(await accessEntry(database.db, accountId, 'gst')).toMatchObject({
      enabled: false,
      plans: [],
      grants: [],
      ended_grants: [{ plan: 'Recently registered GST', why: 'expired' }],
    })
  })

  test('a dataset that does not exist has its own reason', async () => {
    const scope = await effectiveScope(database.db, { accountId: 'any', isEnterprise: true }, 'patents')
    expect(scope).toMatchObject({ enabled: false, granted_by: null, reason: 'unknown_dataset', date_window: null })
  })
})

describe('the access statement', () => {
  test('has the whole shape of the specification', async () => {
    const { token, accountId } = await newCustomer(api, database, { username: 'ravi' })
    await grantEntitlement(database.db, {
      accountId,
      dataset: 'company',
      grantedBy: 'subscription',
      planName: 'Growth',
      states: ['Goa', ' goa ', 'Kerala'],
      from: '2024-01-01',
    })
    const closed = {
      enabled: false,
      granted_by: null,
      reason: 'no_active_plan_grants_this_dataset',
      territory: { restricted: false, states: null, districts: null, pincodes: null },
      date_window: null,
      plans: [],
      grants: [],
      ended_grants: [],
    }
    expect((await api.get('/api/access', token)).json()).toEqual({
      account: { user_id: accountId, email: expect.any(String), username: 'ravi', is_enterprise: false },
      authenticated_via: 'api_key',
      datasets: {
        recently_registered: {
          gst: closed,
          company: {
            enabled: true,
            granted_by: 'subscription',
            reason: null,
            territory: { restricted: true, states: ['Goa', 'Kerala'], districts: null, pincodes: null },
            date_window: { from: '2024-01-01', to: null, anchored_to_subscription: false },
            plans: [{ plan_name: 'Growth', interval: 'month', granted_by: 'subscription', expires_at: null }],
            grants: [
              {
                plan: 'Growth',
                territory: { restricted: true, states: ['Goa', 'Kerala'], districts: null, pincodes: null },
                date_window: { from: '2024-01-01', to: null, anchored_to_subscription: false },
                expires_at: null,
              },
            ],
            ended_grants: [],
          },
          director: closed,
        },
      },
      credits: [
        { type: 'granted', balance: 0, total_credits: 0, used_credits: 0, last_updated: expect.stringMatching(/Z$/) },
      ],
      rate_limits: {
        detail_endpoints: { used_today: 0, daily_limit: 100, remaining: 100 },
        record_budget: { used_today: 0, daily_limit: 100_000, remaining: 100_000 },
        date: new Date().toISOString().slice(0, 10),
      },
      generated_at: expect.stringMatching(/Z$/),
    })
  })

  test('the enterprise flag opens everything, before any subscription', async () => {
    const { token, accountId } = await newCustomer(api, database, { isEnterprise: true })
    await grantEntitlement(database.db, {
      accountId,
      dataset: 'gst',
      grantedBy: 'subscription',
      states: ['Goa'],
    })
    const { gst, director } = (await api.get('/api/access', token)).json().datasets.recently_registered
    for (const entry of [gst, director]) {
      expect(entry).toMatchObject({ granted_by: 'enterprise', territory: { restricted: false, states: null } })
    }
    expect(gst.plans.map((plan: { granted_by: string }) => plan.granted_by)).toEqual(['enterprise', 'subscription'])
  })
})

describe('offers', () => {
  test('those on sale stand in the list, those activated and not over beside them', async () => {
    const { token, accountId } = await newCustomer(api, database)
    await database.db.execute(
      `INSERT INTO access.activated_offer (account_id, offer_id, expires_at)
       VALUES ($1, 'recent-gst-30', now() + interval '1 day'), ($1, 'recent-all-365', now() - interval '1 day')`,
      [accountId],
    )
    const { available_offers, activated_offers } = (await api.get('/api/offers/available', token)).json()
    expect(available_offers).toHaveLength(offers.length)
    expect(activated_offers).toEqual([
      {
        id: 'recent-gst-30',
        name: expect.any(String),
        description: expect.any(String),
        price: 2999,
        duration_days: 30,
        features: ['Recent_GST', 'API_ACCESS'],
      },
    ])
  })
})
