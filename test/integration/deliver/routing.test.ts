/** A mapping that decides by what a lead says, and one that gives records to several people in turn: each keeps whom it was given to. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { FieldMapping } from '../../../src/deliver/destinations/field-mapping.ts'
import { foreseeTurns, takeTurns } from '../../../src/deliver/destinations/turns.ts'
import { previewMapping, saveMapping } from '../../../src/deliver/mapping/change-mapping.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { resendUnplanned } from '../../../src/deliver/resend/resend.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db

beforeEach(() => world.stopWorker())

const by = { name: 'test' }
const map = (destinationId: string, mapping: readonly FieldMapping[]) =>
  saveMapping(world.parts(), world.queue(), { destinationId, mapping, resend: false, by }, signal)
const work = async (id: string) => expect(await reconcile(world.parts(), id, signal)).toMatchObject({ failure: null })
async function deliver(destinationId: string, leads: Parameters<typeof world.order>[0]) {
  await world.push(await world.order(leads), destinationId)
  await work(destinationId)
}
const held = (externalId: string) =>
  world
    .box('salesforce')
    .records()
    .find(({ properties }) => Object.values(properties).includes(externalId))?.properties

const among = (...members: string[]): FieldMapping => ({ field: 'Fax', value: { round_robin: members } })

describe('conditions', () => {
  const byState: FieldMapping = {
    field: 'Fax',
    value: {
      conditions: [
        { column: 'State', is: ['goa', 'Kerala'], value: { constant: 'West' } },
        { column: 'paidUpCapital', at_least: 1_000_000, value: { template: 'Large {State}' } },
        { column: 'State', is: ['Assam'], value: { omit: true } },
      ],
      otherwise: { column: 'City' },
    },
  }

  test('the first one that holds decides, in any case, by words and by numbers, and else what is said for all others', async () => {
    const destinationId = await world.addDestination('salesforce')
    await map(destinationId, [byState])
    const leads = [
      gstLead(1, { State: 'Goa' }),
      companyLead(2, { State: 'Punjab', paidUpCapital: 1_000_000 }),
      companyLead(3, { State: 'Assam', paidUpCapital: 999_999 }),
      companyLead(4, { State: 'Punjab', paidUpCapital: null, City: 'Moga' }),
    ]
    await deliver(destinationId, leads)
    expect(leads.map(({ externalId }) => held(externalId)?.['Fax'])).toEqual([
      ...['West', 'Large Punjab', undefined, 'Moga'],
    ])
    const { sample } = await previewMapping(world.parts(), destinationId, undefined, signal)
    expect(sample.map(({ fields }) => fields)).toContainEqual([{ field: 'Fax', value: 'West', fault: null }])
  })

  test('where none holds and nothing is said for the others, the connector says what it always says', async () => {
    const destinationId = await world.addDestination('salesforce')
    const only = { column: 'State', is: ['Kerala'], value: { constant: 'Kochi' } }
    await map(destinationId, [{ field: 'City', value: { conditions: [only] } }])
    const leads = [gstLead(1), gstLead(2, { State: 'Kerala' })]
    await deliver(destinationId, leads)
    expect(leads.map(({ externalId }) => held(externalId)?.['City'])).toEqual(['North Goa', 'Kochi'])
  })

  test('each branch is checked as a value of its own', async () => {
    const destinationId = await world.addDestination('salesforce')
    const faults = async (value: FieldMapping['value'], field = 'OwnerId') =>
      (await previewMapping(world.parts(), destinationId, [{ field, value }], signal)).faults
    expect(await faults({ round_robin: ['nobody@example.com'] })).toEqual([
      expect.stringContaining('"nobody@example.com" is none'),
    ])
    const then = { constant: 'x' }
    expect(await faults({ conditions: [{ column: 'Nothing', is: ['a'], value: then }] }, 'Fax')).toEqual([
      'fields[0]: a lead has no column Nothing',
    ])
    expect(await faults({ conditions: [{ column: 'State', is: ['Goa'], value: { omit: true } }] }, 'LastName')).toEqual(
      ['fields[0]: LastName is required by the CRM'],
    )
  })
})

describe('a round robin', () => {
  test('gives each new record to the next, as its plan and preview foresee, and a record keeps whom it has through updates and resends', async () => {
    const destinationId = await world.addDestination('salesforce')
    await map(destinationId, [among('Asha', 'Ravi', 'Meera')])
    const leads = [1, 2, 3, 4].map((n) => gstLead(n))
    const orderId = await world.order(leads)
    const foreseen = foreseeTurns(db(), destinationId)
    const ids = leads.map(({ externalId }) => externalId)
    const told = await foreseen('Fax', ['Asha', 'Ravi', 'Meera'], ids)
    await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(await db().query('SELECT FROM deliver.turn WHERE destination_id = $1', [destinationId])).toEqual([])
    await world.push(orderId, destinationId)
    await work(destinationId)
    const owners = () => ids.map((id) => String(held(id)?.['Fax']))
    const first = owners()
    expect(first).toEqual(ids.map((id) => told.get(id)))
    expect(first.toSorted()).toEqual(['Asha', 'Asha', 'Meera', 'Ravi'])
    await deliver(destinationId, [gstLead(2, { City: 'Panaji' }), gstLead(9)])
    await resendUnplanned(db(), world.queue(), { destinationId })
    await work(destinationId)
    expect(owners()).toEqual(first)
    expect(held(gstLead(9).externalId)?.['Fax']).toBe('Ravi')
  })

  test('of two who take turns at once every turn is given once, and both hear the same of one record', async () => {
    const destinationId = await world.addDestination('salesforce')
    const members = ['a', 'b', 'c', 'd']
    const records = (from: number) => Array.from({ length: 40 }, (_, n) => `gst:${from + n}`)
    const take = takeTurns(world.database.as('panji_worker'), destinationId)
    const [one, other] = await Promise.all([take('Fax', members, records(0)), take('Fax', members, records(100))])
    const given = [...(one?.values() ?? []), ...(other?.values() ?? [])]
    expect(members.map((member) => given.filter((each) => each === member).length)).toEqual([20, 20, 20, 20])
    const same = records(200)
    const both = await Promise.all([1, 2, 3].map(() => take('Fax', members, same)))
    const sorted = (turns: ReadonlyMap<string, string> | undefined) => [...(turns ?? [])].toSorted()
    expect(sorted(both[0])).toHaveLength(40)
    for (const each of both) expect(sorted(each)).toEqual(sorted(await take('Fax', members, same)))
  })

  test('a record whose owner is in the list no more goes to the next of it, the others stay', async () => {
    const destinationId = await world.addDestination('salesforce')
    await map(destinationId, [among('Asha', 'Ravi')])
    const leads = [1, 2, 3, 4].map((n) => gstLead(n))
    await deliver(destinationId, leads)
    const before = new Map(leads.map(({ externalId }) => [externalId, String(held(externalId)?.['Fax'])]))
    await map(destinationId, [among('Asha', 'Meera')])
    await resendUnplanned(db(), world.queue(), { destinationId })
    await work(destinationId)
    for (const { externalId } of leads) {
      const now = held(externalId)?.['Fax']
      if (before.get(externalId) === 'Asha') expect(now).toBe('Asha')
      else expect(['Asha', 'Meera']).toContain(now)
    }
  })

  test('lists of several conditions are counted apart, so that each is shared evenly', async () => {
    const destinationId = await world.addDestination('salesforce')
    const [goa, others] = [{ round_robin: ['a', 'b'] }, { round_robin: ['x', 'y'] }]
    const value = { conditions: [{ column: 'State', is: ['Goa'], value: goa }], otherwise: others }
    await map(destinationId, [{ field: 'Fax', value }])
    const leads = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => gstLead(n, n % 2 === 0 ? { State: 'Kerala' } : {}))
    await deliver(destinationId, leads)
    const faxes = leads.map(({ externalId }) => String(held(externalId)?.['Fax'])).toSorted()
    expect(faxes).toEqual(['a', 'a', 'b', 'b', 'x', 'x', 'y', 'y'])
  })

  test('in Salesforce the owner of a record is whose turn it is', async () => {
    const destinationId = await world.addDestination('salesforce')
    await map(destinationId, [
      { field: 'OwnerId', value: { round_robin: ['asha@sandbox.example.com', 'ravi@sandbox.example.com'] } },
    ])
    const leads = [gstLead(1), gstLead(2)]
    await deliver(destinationId, leads)
    const owners = leads.map(({ externalId }) => held(externalId)?.['OwnerId'])
    expect(new Set(owners).size).toBe(2)
  })
})
