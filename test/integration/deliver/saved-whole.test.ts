/** What is read, edited and saved whole: a second change of what somebody else has changed since it was read is refused. */
import { expect, test } from 'vitest'
import { secretKey as apiKey, type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)

const call = async ({ token }: LoggedIn, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) =>
  api.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    ...(payload && { payload }),
  })

interface Setting {
  readonly what: string
  readonly url: (crm: string) => string
  readonly method: 'PUT' | 'PATCH'
  /** Three that differ. */
  readonly bodies: readonly [object, object, object]
  /** What of the answer of a read is what was saved. */
  readonly saved: (read: never) => object
}

const address = '12 Altinho, Panaji 403001'
const billing = (legal_name: string) => ({ legal_name, address, place_of_supply: '30', gstin: null })
const field = (constant: string) => ({ fields: [{ field: 'City', value: { constant } }] })

const settings: readonly Setting[] = [
  {
    what: "a destination's mapping",
    url: (crm) => `${crm}/mapping`,
    method: 'PUT',
    bodies: [field('Panaji'), field('Mapusa'), field('Margao')],
    saved: ({ fields }: { fields: object }) => ({ fields }),
  },
  {
    what: 'the billing details',
    url: () => '/api/users/me/billing',
    method: 'PUT',
    bodies: [billing('Mandovi Trading LLP'), billing('Zuari Exports LLP'), billing('Sal Foods LLP')],
    saved: ({ billing: kept }: { billing: object }) => kept,
  },
  {
    what: 'what is told by e-mail',
    url: () => '/api/crm/mails',
    method: 'PUT',
    bodies: [{ events: ['order.delivered'] }, { events: [] }, { events: ['order.delivered', 'destination.broken'] }],
    saved: ({ events }: { events: object }) => ({ events }),
  },
  {
    what: 'a destination',
    url: (crm) => crm,
    method: 'PATCH',
    bodies: [{ hours: '20:00-06:00' }, { hours: null }, { hours: '09:00-18:00' }],
    saved: ({ hours }: { hours: object }) => ({ hours }),
  },
]

test.each(settings)(
  '$what that was changed since it was read stays as it is, and of many who change it at once one does',
  async ({ url, method, bodies, saved }) => {
    const [by, other] = [await newCustomer(api, world.database), await newCustomer(api, world.database)]
    const pathOf = async (customer: LoggedIn) => {
      const body = { type: 'salesforce', name: 'CRM', settings: world.settings('salesforce') }
      return `/api/crm/destinations/${(await call(customer, 'POST', '/api/crm/destinations', body)).json().destination_id}`
    }
    const [path, path2] = [url(await pathOf(by)), url(await pathOf(other))]
    const read = async () => (await call(by, 'GET', path)).json()
    const change = async (body: object) => call(by, method, path, body)
    const [first, second, third] = bodies
    expect((await change(first)).statusCode).toBe(200)
    const begun = await read()
    expect(saved(begun as never)).toEqual(first)
    expect((await read()).revision, 'what nobody changed keeps its revision').toBe(begun.revision)
    const apart = (await call(other, 'GET', path2)).json()

    expect((await change({ ...second, revision: begun.revision })).statusCode).toBe(200)
    const after = await read()
    const refused = await change({ ...third, revision: begun.revision })
    expect([refused.statusCode, refused.json().error_code, refused.json().revision]).toEqual([
      ...[409, 'CONFLICT', after.revision],
    ])
    expect(await read()).toEqual(after)
    expect(saved(after as never)).toEqual(second)

    const many = await Promise.all(
      Array.from({ length: 6 }, (_, at) => change({ ...(at % 2 === 0 ? first : third), revision: after.revision })),
    )
    // A second conversation of one account with its CRMs is refused before it could conflict.
    expect(many.map(({ statusCode }) => (statusCode === 429 ? 409 : statusCode)).toSorted()).toEqual([
      ...[200, 409, 409, 409, 409, 409],
    ])
    const won = many.findIndex(({ statusCode }) => statusCode === 200)
    expect(saved((await read()) as never)).toEqual(won % 2 === 0 ? first : third)

    // Whoever names no revision changes what stands.
    expect((await change(second)).statusCode).toBe(200)
    expect(saved((await read()) as never)).toEqual(second)
    expect((await call(other, 'GET', path2)).json()).toEqual(apart)
  },
)

test('of two who change other terms of a destination at once neither takes back what the other says', async () => {
  const by = await newCustomer(api, world.database)
  const body = { type: 'salesforce', name: 'CRM', settings: world.settings('salesforce') }
  const path = `/api/crm/destinations/${(await call(by, 'POST', '/api/crm/destinations', body)).json().destination_id}`
  for (let round = 1; round <= 8; round += 1) {
    const terms = [
      { batch_size: round },
      { customer_share: round / 100 },
      { ask_from: round },
      { name: `CRM ${round}` },
    ]
    const replies = await Promise.all(terms.map((each) => call(by, 'PATCH', path, each)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect((await call(by, 'GET', path)).json()).toMatchObject(Object.assign({}, ...terms))
  }
})
