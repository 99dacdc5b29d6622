import { expect, test } from 'vitest'
import { offers } from '../../../config/sales.ts'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()
const api = useApi(database)
const offerThat = (fits: (offer: (typeof offers)[number]) => boolean) => {
  const offer = offers.find(fits)
  if (!offer) throw new Error('config/sales.ts holds no such offer')
  return offer
}
const free = offerThat(({ price }) => price === 0)
const priced = offerThat(({ price, features }) => price > 0 && features.includes('Recent_COMP'))
const activate = (token: string, id: string, headers = {}) =>
  api.post(`/api/offers/${id}/activate`, token, undefined, headers)
const datasetsOf = async (token: string) => (await api.get('/api/access', token)).json().datasets.recently_registered

test('a token can be validated, and one that is not good is refused with the reason', async () => {
  const { token, accountId, apiKey } = await newCustomer(api, database, { username: 'asha' })
  const reply = await api.get('/api/auth/validate', token)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      valid: true,
      user: { name: 'asha', userId: accountId },
      authenticated_via: 'api_key',
      expires_at: expect.any(String),
      scopes: ['read', 'write', 'order', 'deliver', 'keys'],
    },
  ])
  const secondsLeft = (Date.parse(reply.json().expires_at) - Date.now()) / 1000
  expect(secondsLeft).toBeGreaterThan(3500)
  expect(secondsLeft).toBeLessThan(3700)
  for (const [bearer, code] of [
    [undefined, 'UNAUTHENTICATED'],
    [`${token.slice(0, -4)}AAAA`, 'UNAUTHENTICATED'],
    [apiKey, 'API_KEY_AS_BEARER'],
  ]) {
    const refused = await api.get('/api/auth/validate', bearer)
    expect([refused.statusCode, refused.json().error_code]).toEqual([401, code])
  }
})

test('a free offer opens its feed at once, for its days', async () => {
  await addRegistrations(database.db, 'gst', [
    {
      state: 'Goa',
      district: null,
      pincode: null,
      registeredOn: new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10),
    },
  ])
  const { token } = await newCustomer(api, database)
  const feed = () => api.post('/api/recently-registered/gst', token, {})
  expect((await feed()).statusCode).toBe(403)

  const reply = await activate(token, free.id)
  expect([reply.statusCode, reply.json().data]).toMatchObject([200, { offer: { id: free.id }, datasets: ['gst'] }])
  const { activated_at, expires_at } = reply.json().data
  expect(Date.parse(expires_at) - Date.parse(activated_at)).toBe(free.durationDays * 86_400_000)
  expect((await feed()).json().total).toBe(1)
  expect(await datasetsOf(token)).toMatchObject({
    gst: { enabled: true, granted_by: 'offer', plans: [{ plan_name: free.name, interval: 'once', expires_at }] },
    company: { enabled: false },
  })
  const { activated_offers, used_offers } = (await api.get('/api/offers/available', token)).json()
  expect(activated_offers.map(({ id }: { id: string }) => id)).toEqual([free.id])
  expect(used_offers).toEqual([free.id])
})

test('activating an active offer again, also ten times at once, changes nothing', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const replies = await Promise.all(Array.from({ length: 10 }, () => activate(token, free.id)))
  expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect((await activate(token, free.id)).body).toBe(replies[0]?.body)
  for (const table of ['access.activated_offer', 'access.entitlement']) {
    expect(await database.db.query(`SELECT FROM ${table} WHERE account_id = $1`, [accountId])).toHaveLength(1)
  }
})

test('a free offer that is over cannot be had again', async () => {
  const { token, accountId } = await newCustomer(api, database)
  await activate(token, free.id)
  for (const table of ['access.activated_offer', 'access.entitlement']) {
    await database.db.execute(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [
      accountId,
    ])
  }
  const reply = await activate(token, free.id)
  expect([reply.statusCode, reply.json().error_code]).toEqual([409, 'CONFLICT'])
  expect((await datasetsOf(token)).gst.enabled).toBe(false)
  const offers = (await api.get('/api/offers/available', token)).json()
  expect(offers).toMatchObject({ activated_offers: [], used_offers: [free.id] })
})

test('a priced offer is not given away; the operator activates it for the account', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const refused = await activate(token, priced.id)
  expect([refused.statusCode, refused.json()]).toMatchObject([400, { error_code: 'BAD_REQUEST' }])
  expect(refused.json().detail).toContain(`/api/offers/${priced.id}/buy`)
  expect((await datasetsOf(token)).company.enabled).toBe(false)

  const path = `/admin/users/${accountId}/offers/${priced.id}/activate`
  expect((await api.post(path, token)).statusCode).toBe(401)
  const reply = await api.post(path, operatorToken)
  expect([reply.statusCode, reply.json().data.datasets]).toEqual([200, ['company', 'director']])
  expect(await datasetsOf(token)).toMatchObject({
    company: { enabled: true, granted_by: 'offer' },
    director: { enabled: true },
    gst: { enabled: false },
  })
  expect((await api.post(path, operatorToken)).body).toBe(reply.body)
})

test('an offer or account that does not exist is a 404', async () => {
  const { token, accountId } = await newCustomer(api, database)
  expect((await activate(token, 'no-such-offer')).statusCode).toBe(404)
  for (const [account, offer] of [
    [accountId, 'no-such-offer'],
    ['no-such-account', free.id],
  ]) {
    expect((await api.post(`/admin/users/${account}/offers/${offer}/activate`, operatorToken)).statusCode).toBe(404)
  }
})
