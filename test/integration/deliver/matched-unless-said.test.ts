/** A destination of which nothing was said looks for records that the customer had before by what is usual, and asks a person. */
import { beforeEach, expect, test } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { type DestinationChange, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { hubspotSubject, salesforceSubject, zohoSubject } from '../../conformance/subjects.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db
beforeEach(() => world.stopWorker())

interface Way {
  readonly way: string
  readonly crm: 'salesforce' | 'hubspot' | 'zoho'
  readonly over?: object
  readonly identity: string
}
const ways: readonly Way[] = [
  { way: 'salesforce leads', crm: 'salesforce', identity: 'Panji_Id__c' },
  { way: 'salesforce accounts', crm: 'salesforce', over: { object: 'account' }, identity: 'Panji_Id__c' },
  { way: 'hubspot', crm: 'hubspot', identity: 'panji_id' },
  { way: 'zoho', crm: 'zoho', identity: 'Panji_Id' },
]
const ofWay = (name: string): Way => {
  const found = ways.find(({ way }) => way === name)
  if (found === undefined) throw new Error(`no way ${name}`)
  return found
}

/** Records that the customer made by hand: all that they hold, and no identity. */
async function heldBefore(destinationId: string, { crm, identity }: Way, leads: readonly OutgoingLead[]) {
  const { session } = openDestination(world.parts(), await readDestination(db(), destinationId), signal)
  await session.setup()
  for (let from = 0; from < leads.length; from += 100) await session.push(leads.slice(from, from + 100))
  for (const { id } of world.box(crm).records()) world.box(crm).edit(id, { [identity]: '' })
}

async function deliver(destinationId: string, leads: readonly OutgoingLead[]): Promise<void> {
  await world.push(await world.order(leads), destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
}

const waitingFor = async (destinationId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await db().query<{ id: string; message: string }>(
        `SELECT external_id AS id, last_error ->> 'message' AS message FROM deliver.record
         WHERE destination_id = $1 AND state = 'pending' AND last_error ->> 'code' = 'MATCH_NEEDS_DECISION'`,
        [destinationId],
      )
    ).map(({ id, message }) => [id, message]),
  )

const waiting = async (destinationId: string) =>
  Object.fromEntries(
    Object.entries(await waitingFor(destinationId)).map(([id, message]) => [
      id,
      / agrees in (.*?)(?:\.|$)/.exec(message)?.[1],
    ]),
  )

/** Another lead than the first, with what a person of the customer may have typed. */
const cases = {
  'salesforce leads': [
    [directorLead(1), directorLead(11, { Email: 'ASHA1@prabhu.example.com' }), 'Email (80): 80 of 100'],
    [
      gstLead(2, { Email: null }),
      gstLead(12, { Mobile: '+919822010002', Email: 'new@else.example.net' }),
      'Mobile (70): 70 of 100',
    ],
    [
      gstLead(3),
      gstLead(13, { Company: 'mandovi traders 3', Email: 'shop@mandovi-traders.example.com', City: 'Margao' }),
      'Company (45), Email_Domain (40): 85 of 100',
    ],
    [
      companyLead(4),
      companyLead(14, { Company: 'Zuari Foods 4 Private Limited', Email: null }),
      'Company (45), City (15): 60 of 100',
    ],
  ],
  'salesforce accounts': [
    [directorLead(1), directorLead(11, { Email: 'asha1@prabhu.example.com' }), 'Email (80): 80 of 100'],
    [
      companyLead(4),
      companyLead(14, { Company: 'Zuari Foods 4 Private Limited', Email: null, Phone: null }),
      'Company (45), City (15): 60 of 100',
    ],
  ],
  hubspot: [[directorLead(1), directorLead(11, { Email: 'asha1@prabhu.example.com' }), 'Email (80): 80 of 100']],
  zoho: [
    [directorLead(1), directorLead(11, { Email: 'asha1@prabhu.example.com' }), 'Email (80): 80 of 100'],
    [
      gstLead(2, { Email: null }),
      gstLead(12, { Mobile: '+919822010002', Email: 'new@else.example.net' }),
      'Mobile (70): 70 of 100',
    ],
    [
      gstLead(3),
      gstLead(13, { Company: 'Mandovi Traders 3', Email: 'shop@mandovi-traders.example.com', City: 'Margao' }),
      'Company (45), Email_Domain (40): 85 of 100',
    ],
    [
      companyLead(4),
      companyLead(14, { Company: 'Zuari Foods 4 Private Limited', Email: null }),
      'Company (45), City (15): 60 of 100',
    ],
  ],
} as const

test.each(ways)('$way: what is usual finds each, the lead waits with its score, all others are made', async (way) => {
  const destinationId = await world.addDestination(way.crm, way.over)
  const found = cases[way.way as keyof typeof cases]
  await heldBefore(
    destinationId,
    way,
    found.map(([held]) => held),
  )
  const before = world.box(way.crm).records()
  const others = [directorLead(70), companyLead(71, { Phone: null, Email: 'a@b.example' }), gstLead(72)]
  await deliver(destinationId, [...found.map(([, lead]) => lead), ...others])
  expect(await waiting(destinationId)).toEqual(
    Object.fromEntries(found.map(([, lead, explained]) => [lead.externalId, explained])),
  )
  const after = world.box(way.crm).records()
  expect(after.slice(0, before.length)).toEqual(before)
  const made = after.slice(before.length).map(({ properties }) => properties[way.identity])
  expect(new Set(made)).toEqual(new Set(others.map(({ externalId }) => externalId)))
})

const subjectOf = { salesforce: salesforceSubject, hubspot: hubspotSubject, zoho: zohoSubject }
test.each(ways)('$way: all that is usual is asked for in one read for each batch', async (way) => {
  const destinationId = await world.addDestination(way.crm, way.over)
  await deliver(destinationId, [gstLead(900), directorLead(900)])
  const calls = () => world.box(way.crm).calls()
  const before = calls().length
  const leads = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? gstLead(n) : directorLead(n)))
  await deliver(destinationId, leads)
  const made = calls().slice(before)
  const { isWrite, isRead } = subjectOf[way.crm]
  const writes = made.filter((call) => isWrite(call)).length
  const reads = made.filter((call) => isRead(call)).length
  expect(writes).toBeGreaterThan(0)
  // The first batch of a session is read by its identity, too: once for each object that it lies in.
  expect(reads - 2).toBeLessThanOrEqual(writes)
})

test.each(['salesforce leads', 'zoho'])(
  '%s: where a field is encrypted, what is usual goes without it',
  async (name) => {
    const way = ofWay(name)
    const destinationId = await world.addDestination(way.crm)
    const mobile = { 'salesforce leads': 'MobilePhone', zoho: 'Mobile' }[name] ?? ''
    await heldBefore(destinationId, way, [directorLead(1), gstLead(2)])
    world.box(way.crm).changeField?.(mobile, { encrypted: true })
    const byMobile = gstLead(12, { Mobile: '+919822010002', Email: null })
    const byEmail = directorLead(11, { Email: 'asha1@prabhu.example.com' })
    await deliver(destinationId, [byMobile, byEmail])
    expect(Object.keys(await waiting(destinationId))).toEqual([byEmail.externalId])
    expect(world.box(way.crm).records()).toHaveLength(3)
  },
)

test.each(['salesforce leads', 'zoho'])(
  '%s: names that thousands of records share are asked for by halves, and wait as unclear',
  async (name) => {
    const way = ofWay(name)
    const destinationId = await world.addDestination(way.crm)
    const shared = (n: number) => ({ Company: `Branch ${n % 2}`, City: 'Margao', Email: null, Mobile: null })
    await heldBefore(
      destinationId,
      way,
      Array.from({ length: 2_200 }, (_, n) => gstLead(n, shared(n))),
    )
    const leads = [gstLead(5_000, shared(0)), gstLead(5_001, shared(1)), gstLead(5_002)]
    await deliver(destinationId, leads)
    expect(Object.keys(await waiting(destinationId)).sort()).toEqual(
      [leads[0]?.externalId, leads[1]?.externalId].sort(),
    )
    expect(world.box(way.crm).records()).toHaveLength(2_201)
  },
)

const inThousands = [
  ['salesforce leads', directorLead],
  ['salesforce accounts', directorLead],
  ['zoho', directorLead],
] as const

test.each(inThousands)(
  '%s: a lead whose e-mail thousands of records share waits as unclear, and the others are written',
  async (name, lead) => {
    const way = ofWay(name)
    const destinationId = await world.addDestination(way.crm, way.over)
    const shared = { Email: 'accounts@filing-agent.example.com', Mobile: null }
    await heldBefore(
      destinationId,
      way,
      Array.from({ length: 2_010 }, (_, n) => lead(n, shared)),
    )
    const [agreeing, other] = [lead(5_000, shared), lead(5_001)]
    await deliver(destinationId, [agreeing, other])
    expect(await waitingFor(destinationId)).toEqual({
      [agreeing.externalId]: expect.stringMatching(/^2000 or more records agree in \S*Email: /),
    })
    expect(world.box(way.crm).records()).toHaveLength(2_011)
  },
)

test.each(inThousands)(
  '%s: records of its own that share a value with a lead keep no lead waiting',
  async (name, lead) => {
    const way = ofWay(name)
    const destinationId = await world.addDestination(way.crm, way.over)
    const shared = { Email: 'accounts@filing-agent.example.com', Mobile: null }
    const { session } = openDestination(world.parts(), await readDestination(db(), destinationId), signal)
    await session.setup()
    const leads = Array.from({ length: 2_010 }, (_, n) => lead(n, shared))
    for (let from = 0; from < leads.length; from += 100) await session.push(leads.slice(from, from + 100))
    await deliver(destinationId, [lead(5_000, shared)])
    expect(await waitingFor(destinationId)).toEqual({})
    expect(world.box(way.crm).records()).toHaveLength(2_011)
  },
)

test('a destination that was told to look for nothing does not, and neither does one of before that named nothing', async () => {
  const way = ofWay('salesforce leads')
  const told = await world.addDestination('salesforce')
  await updateDestination(world.parts(), told, { askFrom: null })
  const named = await world.addDestination('salesforce', { match_on: [] }, 'Another')
  await heldBefore(told, way, [directorLead(1)])
  for (const [id, n] of [
    [told, 11],
    [named, 12],
  ] as const) {
    await deliver(id, [directorLead(n, { Email: 'asha1@prabhu.example.com' })])
    expect(await waiting(id)).toEqual({})
  }
  expect(world.box('salesforce').records()).toHaveLength(3)
})

test.each<[string, Partial<DestinationChange>, number]>([
  ['adopt_from', { adoptFrom: 80 }, 1],
  ['ask_from', { askFrom: null }, 2],
  ['match_on', { options: { match_on: [] } }, 2],
])('a lead that waits for a decision is matched again at once by a new %s', async (_, change, records) => {
  const way = ofWay('salesforce leads')
  const destinationId = await world.addDestination(way.crm)
  const [held, lead] = cases['salesforce leads'][0] ?? []
  if (!held || !lead) throw new Error('the case has two leads')
  await heldBefore(destinationId, way, [held])
  await deliver(destinationId, [lead])
  expect(Object.keys(await waiting(destinationId))).toEqual([lead.externalId])
  // It has waited for long already.
  await db().execute(
    `UPDATE deliver.record SET attempts = 9, next_attempt_at = now() + interval '64 hours' WHERE destination_id = $1`,
    [destinationId],
  )
  await updateDestination(world.parts(), destinationId, change)
  await reconcile(world.parts(), destinationId, signal)
  expect(await waiting(destinationId)).toEqual({})
  expect(world.box(way.crm).records()).toHaveLength(records)
})
