/** Who sells: without one nothing is sold for money and no payment is lost; invoices name the one of the settings. */
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { buildTestServer, createCustomer, newCustomer, recordJobs, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const pack = { pack_id: 'credits-100' }
const buying = { '/api/credits/purchase': pack, '/api/plans/premium-month/buy': { payment_option: 'online' } }

test('without a seller every online purchase is refused with the variables that are missing, in one line of the log each, and none is begun', async () => {
  const lines: string[] = []
  const customer = await newCustomer(api, database)
  const app = await buildTestServer(database, recordJobs(), [], {
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    settings: {
      leadSource: 'Panji',
      onlineLabel: 'online',
      payments: razorpay({ ...world.settings, seller: undefined }),
    },
  })
  const headers = { authorization: `Bearer ${customer.token}` }
  for (const [url, payload] of [
    ...Object.entries(buying),
    ['/api/orders/normal', { ...orderBody, paymentOption: 'online' }] as const,
  ]) {
    const { statusCode, ...reply } = await app.inject({ method: 'POST', url, headers, payload })
    expect([url, statusCode, reply.json().error_code]).toEqual([url, 501, 'SELLER_MISSING'])
    await app.inject({ method: 'POST', url, headers, payload })
    for (const name of ['NAME', 'ADDRESS', 'GSTIN']) expect(reply.json().detail).toContain(`PANJI_SELLER_${name}`)
  }
  expect(world.box.records()).toEqual([])
  await app.close()
  const logged = lines.map((line) => JSON.parse(line) as object)
  expect(logged).toHaveLength(3)
  for (const line of logged) {
    expect(line).toMatchObject({ code: 'SELLER_MISSING', msg: expect.stringContaining('PANJI_SELLER_NAME') })
    expect(line).not.toHaveProperty('err')
  }
})

test('money that came while the seller was not known is not lost: it is settled, and invoiced, once they are', async () => {
  const customer = await newCustomer(api, database)
  const { purchase_id: id, payment } = (await world.call('POST', '/api/credits/purchase', customer, pack)).json()
  world.box.addFault({ kind: 'webhook_lost' })
  await world.box.pay(payment.id)
  const asking = (seller: typeof sampleSeller | undefined) =>
    reconcilePayments(
      { db: database.as('panji_api'), queue: recordJobs(), processor: razorpay({ ...world.settings, seller }) },
      id,
    )
  expect(await asking(undefined)).toMatchObject({ settled: 0, refused: 1 })
  const status = async () => (await world.call('GET', `/api/credits/purchases/${id}`, customer)).json().status
  expect(await status()).toBe('pending')
  const seller = { ...sampleSeller, name: 'Asha Data LLP', gstin: '27AAPFU0939F1ZV' }
  expect(await asking(seller)).toMatchObject({ settled: 1 })
  expect(await status()).toBe('paid')
  const { data } = (await world.call('GET', '/api/invoices', customer)).json()
  // The purchase was made in Goa; the seller is of Maharashtra now.
  expect(data).toMatchObject([{ kind: 'invoice', igst: 18_000, cgst: 0 }])
  const pdf = await world.call('GET', `/api/invoices/${data[0].number}/pdf`, customer)
  expect(pdf.headers['content-type']).toBe('application/pdf')
})

const processor = {
  PANJI_RAZORPAY_KEY_ID: 'rzp_test_doctor',
  PANJI_RAZORPAY_KEY_SECRET: 'secret-of-the-processor',
  PANJI_RAZORPAY_WEBHOOK_SECRET: 'secret-of-its-notices',
  PANJI_CREDIT_PAISE: '1180',
}
const seller = {
  PANJI_SELLER_NAME: 'Asha Data LLP',
  PANJI_SELLER_ADDRESS: '1 MG Road, Pune 411001',
  PANJI_SELLER_GSTIN: '27AAPFU0939F1ZV',
}

describe('an installation of its own', () => {
  const own = useTestDatabase()

  test.each([
    ['no processor is configured', {}, { sells: false, ok: true, detail: /^online payment is off/ }],
    [
      'a processor is, and no seller',
      processor,
      {
        sells: false,
        ok: false,
        detail: /refused until PANJI_SELLER_NAME, PANJI_SELLER_ADDRESS and PANJI_SELLER_GSTIN/,
      },
    ],
    ['both are', { ...processor, ...seller }, { sells: true, ok: true, detail: /^Asha Data LLP, 27AAPFU0939F1ZV$/ }],
  ])(
    'where %s, the doctor and `online_payment` agree on whether something is sold',
    async (_, env, expected) => {
      const { apiKey } = await createCustomer(own.db)
      const home = panjiHome({
        DATABASE_URL: own.url,
        PANJI_SECRET_KEY: 'secret-key-of-the-seller-0123456789',
        PANJI_OPERATOR_TOKEN: 'operator-token-of-the-seller',
        ...env,
      })
      const started = home.run('start', '--role', 'api', '--json')
      try {
        const [url] = /http:[^"]+/.exec(await started.line('"api_url"')) ?? []
        const login = await fetch(`${url}/api/auth/login`, {
          ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
          body: JSON.stringify({ api_key: apiKey }),
        })
        const { token } = (await login.json()) as { token: { access_token: string } }
        const packs = await fetch(`${url}/api/credits/packs`, {
          headers: { authorization: `Bearer ${token.access_token}` },
        })
        const { online_payment: sells } = (await packs.json()) as { online_payment: boolean }
        const { checks } = (await home.json('doctor')).answer as {
          checks: { name: string; ok: boolean; detail: string }[]
        }
        const told = checks.find(({ name }) => name === 'seller')
        expect({ sells, ok: told?.ok, detail: told?.detail }).toEqual({
          ...{ sells: expected.sells, ok: expected.ok },
          detail: expect.stringMatching(expected.detail),
        })
      } finally {
        started.child.kill('SIGINT')
        await started.ended
        home.remove()
      }
    },
    120_000,
  )
})
