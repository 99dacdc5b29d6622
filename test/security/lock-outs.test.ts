/** Wrong keys and wrong tokens slow down whoever sends them; the right one always gets in, from the same address too. */
import { describe, expect, test } from 'vitest'
import { addressBucket } from '../../src/domain/client-address.ts'
import { createCustomer, freshAddress, newCustomer, operatorToken, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

const logIn = (apiKey: string, remoteAddress: string) =>
  api.app.inject({ method: 'POST', url: '/api/auth/login', payload: { api_key: apiKey }, remoteAddress })
const profile = (token: string, remoteAddress: string) =>
  api.app.inject({ url: '/api/users/me', remoteAddress, headers: { authorization: `Bearer ${token}` } })
const admin = (token: string, remoteAddress: string) =>
  api.app.inject({ url: '/admin/users', remoteAddress, headers: { authorization: `Bearer ${token}` } })
const wrongKey = `panji_${'x'.repeat(43)}`

/** As many failures as throttle an address, and one more that is told so. */
async function throttle(address: string): Promise<void> {
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await logIn(`junk-${n}`, address)).statusCode)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
}

describe('the right key', () => {
  test('gets in from an address that has sent ten wrong ones, in whatever order they come', async () => {
    const address = freshAddress()
    const { apiKey } = await createCustomer(database.db)
    await throttle(address)
    expect((await logIn(apiKey, address)).statusCode).toBe(200)
    const mixed = await Promise.all([logIn('junk', address), logIn(apiKey, address), logIn('junk', address)])
    expect(mixed.map(({ statusCode }) => statusCode)).toEqual([429, 200, 429])
  })

  test('gets in from anywhere while somebody tries keys that begin like it', async () => {
    const { apiKey } = await createCustomer(database.db)
    const alike = apiKey.slice(0, 10) + 'z'.repeat(39)
    for (let n = 0; n < 10; n++) expect((await logIn(alike, freshAddress())).statusCode).toBe(401)
    expect((await logIn(alike, freshAddress())).statusCode).toBe(429)
    for (const address of [freshAddress(), '10.0.0.1']) expect((await logIn(apiKey, address)).statusCode).toBe(200)
  })

  test('a hundred failures within a day block the address until an operator unblocks it', async () => {
    const address = freshAddress()
    await database.db.execute(
      `INSERT INTO access.login_failure (address, key_prefix, failed_at)
       SELECT $1, '', now() - interval '1 hour' FROM generate_series(1, 99)`,
      [address],
    )
    expect((await logIn(wrongKey, address)).statusCode).toBe(401)
    const blocked = await logIn(wrongKey, address)
    expect([blocked.statusCode, blocked.json().error_code]).toEqual([403, 'ADDRESS_BLOCKED'])
    const listed = (await api.get('/admin/security/blocked-ips', operatorToken)).json<{ data: { ip: string }[] }>()
    expect(listed.data).toContainEqual(expect.objectContaining({ ip: address, blocked_by: 'system' }))

    const customer = await newCustomer(api, database)
    expect((await logIn(customer.apiKey, address)).statusCode).toBe(200)
    expect((await profile(customer.token, address)).statusCode).toBe(200)
    const refreshed = await api.app.inject({
      method: 'POST',
      url: '/api/auth/refresh-token',
      remoteAddress: address,
      payload: { refresh_token: customer.refreshToken },
    })
    expect(refreshed.statusCode).toBe(200)
    expect((await api.post('/admin/security/unblock-ip', operatorToken, { ip: address })).statusCode).toBe(200)
    expect((await logIn(wrongKey, address)).statusCode).toBe(401)
  })

  test('is used by twenty logins at once, and each opens a session', async () => {
    const { apiKey } = await createCustomer(database.db)
    const address = freshAddress()
    const replies = await Promise.all(Array.from({ length: 20 }, () => logIn(apiKey, address)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
  })
})

describe("the operator's token", () => {
  test('opens from an address that has sent eleven junk tokens', async () => {
    const address = freshAddress()
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await admin(`junk-token-number-${n}`, address)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await admin(operatorToken, address)).statusCode).toBe(200)
    const metrics = { url: '/metrics', remoteAddress: address, headers: { authorization: `Bearer ${operatorToken}` } }
    expect((await api.app.inject(metrics)).statusCode).toBe(200)
  })
})

describe('a block made by hand', () => {
  test('refuses the right key, its calls and its refresh from that address, until it is lifted', async () => {
    const address = freshAddress()
    const customer = await newCustomer(api, database)
    expect((await api.post('/admin/security/block-ip', operatorToken, { ip: address })).statusCode).toBe(200)
    const refresh = () =>
      api.app.inject({
        method: 'POST',
        url: '/api/auth/refresh-token',
        remoteAddress: address,
        payload: { refresh_token: customer.refreshToken },
      })
    for (const reply of [
      await logIn(customer.apiKey, address),
      await profile(customer.token, address),
      await refresh(),
    ])
      expect([reply.statusCode, reply.json().error_code]).toEqual([403, 'ADDRESS_BLOCKED'])
    expect((await profile(customer.token, freshAddress())).statusCode).toBe(200)
    expect((await api.post('/admin/security/unblock-ip', operatorToken, { ip: address })).statusCode).toBe(200)
    expect((await logIn(customer.apiKey, address)).statusCode).toBe(200)
  })

  test('may be of a network, and of an IPv6 address is of its /64', async () => {
    const { token } = await newCustomer(api, database)
    for (const [ip, inside, outside] of [
      ['10.77.0.0/16', ['10.77.0.1', '::ffff:10.77.255.255'], ['10.78.0.1']],
      ['2001:DB8:7::1', ['2001:db8:7::1', '2001:db8:7:0:ffff::9'], ['2001:db8:7:1::1']],
      ['2001:db8:9::/48', ['2001:db8:9:ffff::1'], ['2001:db8:a::1']],
    ] as const) {
      const blocked = await api.post('/admin/security/block-ip', operatorToken, { ip })
      expect([ip, blocked.statusCode]).toEqual([ip, 200])
      for (const address of inside)
        expect([address, (await profile(token, address)).statusCode]).toEqual([address, 403])
      for (const address of outside)
        expect([address, (await profile(token, address)).statusCode]).toEqual([address, 200])
      const lifted = await api.post('/admin/security/unblock-ip', operatorToken, { ip })
      expect([ip, lifted.statusCode]).toEqual([ip, 200])
      for (const address of inside) expect((await profile(token, address)).statusCode).toBe(200)
    }
    for (const ip of ['0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/', '::/129', '/8', '10.0.0.1/8/8', 'nonsense'])
      expect([ip, (await api.post('/admin/security/block-ip', operatorToken, { ip })).statusCode]).toEqual([ip, 400])
  })

  test('takes the place of a block that the system made of the same address', async () => {
    const address = freshAddress()
    const { token } = await newCustomer(api, database)
    await database.db.execute(
      `INSERT INTO access.blocked_address (address, reason, blocked_by) VALUES ($1, 'failures', 'system')`,
      [address],
    )
    expect((await profile(token, address)).statusCode).toBe(200)
    const block = await api.post('/admin/security/block-ip', operatorToken, { ip: address, reason: 'scraping' })
    expect(block.json()).toMatchObject({ ip: address, reason: 'scraping', blocked_by: 'operator:default' })
    expect((await profile(token, address)).statusCode).toBe(403)
  })
})

describe('addresses', () => {
  test('are counted as one however IPv4 is written, and IPv6 by its /64', async () => {
    const { apiKey } = await createCustomer(database.db)
    const spellings = ['2001:db8:1:2::1', '2001:DB8:1:2:0:0:0:2', '2001:db8:1:2:ffff:ffff:ffff:ffff']
    for (let n = 0; n < 10; n++) await logIn('junk', spellings[n % 3] ?? '')
    expect((await logIn('junk', '2001:db8:1:2:a:b:c:d')).statusCode).toBe(429)
    expect((await logIn('junk', '2001:db8:1:3::1')).statusCode).toBe(401)
    expect((await logIn(apiKey, '2001:db8:1:2:a:b:c:d')).statusCode).toBe(200)

    for (let n = 0; n < 10; n++) await logIn('junk', n % 2 === 0 ? '10.88.0.1' : '::FFFF:10.88.0.1')
    expect((await logIn('junk', '::ffff:a58:1')).statusCode).toBe(429)
  })

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:0a00:0001', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:0DB8:0:0:1::', '2001:db8::/64'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['garbage', 'unknown'],
    ['', 'unknown'],
  ])('%s counts as %s', (ip, bucket) => {
    expect(addressBucket(ip)).toBe(bucket)
  })
})
