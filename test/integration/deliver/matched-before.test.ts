/** Automatic deliveries look for a record that the customer had before: what is certain is taken, what is likely waits for a person. */
import { beforeEach, expect, test } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { addDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { noteAdoptions } from '../../../src/deliver/matching/adopted-records.ts'
import { explained, scoreOf } from '../../../src/deliver/matching/score.ts'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { addWebhook, listEvents, removeWebhook } from '../../../src/notify/webhooks/webhooks.ts'
import { directorLead } from '../../conformance/sample-leads.ts'
import { hubspotSubject, salesforceSubject, zohoSubject } from '../../conformance/subjects.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const subjectOf = { salesforce: salesforceSubject, hubspot: hubspotSubject, zoho: zohoSubject }
const { signal } = new AbortController()
const db = () => world.database.db

beforeEach(() => world.stopWorker())

const crms = [
  { crm: 'salesforce', rule: { Email: 'Email' }, identity: 'Panji_Id__c', name: 'LastName' },
  { crm: 'hubspot', rule: { 'contacts.email': 'Email' }, identity: 'panji_id', name: 'lastname' },
  { crm: 'zoho', rule: { Email: 'Email' }, identity: 'Panji_Id', name: 'Last_Name' },
] as const
type Crm = Omit<(typeof crms)[number], 'name'> & { readonly name: string }

async function destination({ crm, rule }: Crm, terms: { adoptFrom?: number | null; askFrom?: number | null }) {
  const settings = { ...world.settings(crm), match_on: [rule] }
  const given = { accountId: world.accountId(), connector: crm, name: 'CRM', settings, ...terms }
  return (await addDestination(db(), world.connectors, world.secretKey, given)).destination_id
}

/** Records that the customer made by hand. @returns their ids. */
async function foreign(destinationId: string, { crm, identity, name }: Crm, ...leads: OutgoingLead[]) {
  const { session } = openDestination(world.parts(), await readDestination(db(), destinationId), signal)
  await session.setup()
  const outcomes = await session.push(leads)
  return outcomes.map((outcome) => {
    const id = outcome && 'crmId' in outcome ? outcome.crmId : ''
    world.box(crm).edit(id, { [name]: 'As we know her', [identity]: '' })
    return id
  })
}

const work = async (id: string) => expect(await reconcile(world.parts(), id, signal)).toMatchObject({ failure: null })
async function deliver(destinationId: string, leads: readonly OutgoingLead[]) {
  const orderId = await world.order(leads)
  await world.push(orderId, destinationId)
  await work(destinationId)
  return orderId
}
const records = (crm: string) => world.box(crm).records()
const told = (destinationId: string) =>
  db().query<{ id: string; state: string; code: string | null; message: string | null }>(
    `SELECT external_id AS id, state, last_error ->> 'code' AS code, last_error ->> 'message' AS message FROM deliver.record
     WHERE destination_id = $1 ORDER BY external_id`,
    [destinationId],
  )

test.each(crms)(
  'in $crm a certain match is taken as the customer’s own and filled, keeps what they wrote, and is looked for once',
  async (given) => {
    const destinationId = await destination(given, { adoptFrom: 80 })
    const leads = [directorLead(1), directorLead(2)]
    const [id = ''] = await foreign(destinationId, given, directorLead(1))
    await deliver(destinationId, leads)
    expect(records(given.crm)).toHaveLength(2)
    expect(records(given.crm).find((record) => record.id === id)?.properties).toMatchObject({
      [given.identity]: directorLead(1).externalId,
      [given.name]: 'As we know her',
    })
    const noted = await db().query('SELECT crm_id AS "crmId" FROM deliver.adoption WHERE destination_id = $1', [
      destinationId,
    ])
    expect(noted).toEqual([{ crmId: id }])
    expect((await told(destinationId)).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged'])
    const before = records(given.crm)
    await deliver(destinationId, leads)
    expect(records(given.crm)).toEqual(before)
  },
)

test.each(crms)(
  'in $crm a likely match waits for a person with its score, and goes as the person says: into the record, or beside it',
  async (given) => {
    const destinationId = await destination(given, { adoptFrom: 90, askFrom: 50 })
    const leads = [directorLead(1), directorLead(2), directorLead(3)]
    const ids = await foreign(destinationId, given, directorLead(1), directorLead(2))
    const orderId = await deliver(destinationId, leads)
    const waiting = await told(destinationId)
    expect(waiting.map(({ state, code }) => [state, code])).toEqual([
      ['pending', 'MATCH_NEEDS_DECISION'],
      ['pending', 'MATCH_NEEDS_DECISION'],
      ['acknowledged', null],
    ])
    expect(waiting[0]?.message).toContain(`${ids[0]} agrees in Email (80): 80 of 100`)
    expect(records(given.crm)).toHaveLength(3)
    const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(plan.rows.filter(({ action }) => action === 'adopt').map(({ reason }) => reason)).toEqual([
      'agrees in Email (80): 80 of 100',
      'agrees in Email (80): 80 of 100',
    ])
    // HubSpot lets no two contacts have one e-mail address, so that the lead beside goes without it.
    await approvePlan(world.parts(), { orderId, destinationId, hash: plan.hash, adopt: given.crm !== 'zoho' }, signal)
    await world.push(orderId, destinationId)
    await work(destinationId)
    expect((await told(destinationId)).map(({ state }) => state)).toEqual(Array(3).fill('acknowledged'))
    expect(records(given.crm)).toHaveLength(given.crm === 'zoho' ? 5 : 3)
  },
)

test('a record of the same name agrees by the domain of its address, and by one that anybody may have it does not', async () => {
  const [given] = crms
  const settings = { ...world.settings('salesforce'), match_on: [{ LastName: 'Last_Name', Email: 'Email_Domain' }] }
  const terms = { accountId: world.accountId(), connector: 'salesforce', name: 'CRM', settings, askFrom: 50 }
  const { destination_id: id } = await addDestination(db(), world.connectors, world.secretKey, terms)
  const named = (n: number, email: string) => directorLead(n, { Last_Name: `Prabhu${n}`, Email: email })
  const [held = ''] = await foreign(id, { ...given, name: 'Title' }, named(1, 'sales@coral.example.in'))
  await foreign(id, { ...given, name: 'Title' }, named(2, 'coral@gmail.com'))
  await deliver(id, [
    named(1, 'asha@Coral.example.in'),
    named(2, 'coral.exim@gmail.com'),
    named(3, 'x@coral.example.in'),
  ])
  expect((await told(id)).map(({ code, message }) => [code, message?.split('. ')[0]])).toEqual([
    ['MATCH_NEEDS_DECISION', `The record ${held} agrees in Last_Name (25), Email_Domain (40): 65 of 100`],
    [null, undefined],
    [null, undefined],
  ])
})

test('each lead that starts to wait is notified once, by webhook and by e-mail, however often it is checked again', async () => {
  const [given] = crms
  const accountId = world.accountId()
  const { webhook_id } = await addWebhook(db(), world.secretKey, { accountId, url: 'https://hook.example.invalid/' })
  const destinationId = await destination(given, { askFrom: 50 })
  await foreign(destinationId, given, directorLead(1), directorLead(2))
  await deliver(destinationId, [directorLead(1), directorLead(3)])
  await db().execute(`UPDATE deliver.record SET next_attempt_at = now() WHERE state = 'pending'`)
  await work(destinationId)
  await deliver(destinationId, [directorLead(2)])
  const { events } = await listEvents(db(), accountId, { limit: 9, offset: 0 })
  const asked = events.filter(({ type }) => type === 'delivery.needs_decision')
  expect(asked.map(({ data }) => data)).toMatchObject([
    { destination_id: destinationId, matches: [{ record: directorLead(2).externalId }] },
    {
      matches: [
        { record: directorLead(1).externalId, message: expect.stringContaining('agrees in Email (80): 80 of 100') },
      ],
    },
  ])
  const mails = await db().query(
    `SELECT data FROM deliver.mail WHERE account_id = $1 AND type = 'delivery.needs_decision'`,
    [accountId],
  )
  expect(mails).toMatchObject([{ data: { count: 2, destination: 'CRM' } }])
  await removeWebhook(db(), webhook_id)
})

test('a record that was noted for a lead by somebody who died before it got its identity is taken by whoever comes next', async () => {
  const [given] = crms
  const destinationId = await destination(given, { adoptFrom: 80 })
  const [id = ''] = await foreign(destinationId, given, directorLead(1))
  await noteAdoptions(db(), destinationId, [{ externalId: directorLead(1).externalId, crmId: id }])
  await deliver(destinationId, [directorLead(1)])
  expect(records('salesforce').map((record) => [record.id, record.properties['Panji_Id__c']])).toEqual([
    [id, directorLead(1).externalId],
  ])
})

test('below both scores, and where neither is set, a new record is made and nobody looks for another', async () => {
  const [given] = crms
  const destinationId = await destination(given, { askFrom: 90 })
  await foreign(destinationId, given, directorLead(1))
  await deliver(destinationId, [directorLead(1)])
  expect(records('salesforce')).toHaveLength(2)
  await updateDestination(world.parts(), destinationId, { askFrom: null })
  await foreign(destinationId, given, directorLead(4))
  const asked = () =>
    world
      .box('salesforce')
      .calls()
      .filter((each) => JSON.stringify(each).includes('Email%20IN')).length
  const before = asked()
  expect(before).toBeGreaterThan(0)
  await deliver(destinationId, [directorLead(4)])
  expect([records('salesforce').length, asked()]).toEqual([4, before])
})

test('two leads that match one record, and one that matches two, are taken for none: they wait where somebody is to be asked', async () => {
  const [given] = crms
  const destinationId = await destination(given, { adoptFrom: 80, askFrom: 80 })
  const twin = (n: number) => directorLead(n, { Email: 'shared@prabhu.example.com' })
  await foreign(destinationId, given, twin(1))
  await deliver(destinationId, [twin(1), twin(2)])
  expect((await told(destinationId)).map(({ code }) => code)).toEqual(Array(2).fill('MATCH_NEEDS_DECISION'))
  expect(records('salesforce')).toHaveLength(1)
})

test.each(crms)('in $crm looking costs at most one read for each batch of a rule', async (given) => {
  const destinationId = await destination(given, { adoptFrom: 80 })
  await deliver(destinationId, [directorLead(500)])
  const calls = () =>
    world
      .box(given.crm)
      .calls()
      .filter(({ path }) => !/oauth|token/.test(path))
  const before = calls().length
  await deliver(
    destinationId,
    Array.from({ length: 400 }, (_, n) => directorLead(n)),
  )
  const made = calls().slice(before)
  const { isWrite, isRead } = subjectOf[given.crm]
  const writes = made.filter((call) => isWrite(call)).length
  const reads = made.filter((call) => isRead(call)).length
  // The first batch of a session is read by its identity, too.
  expect(reads - 1).toBeLessThanOrEqual(writes)
})

test('a score is the sum of what agrees, a hundred at most, said in words; a person is asked below the score that takes', async () => {
  expect(scoreOf(['Company', 'Zip_Code', 'City'])).toBe(80)
  expect(scoreOf(['GSTIN', 'Email'])).toBe(100)
  expect(explained(['Company', 'Zip_Code'])).toBe('agrees in Company (45), Zip_Code (20): 65 of 100')
  const [given] = crms
  const destinationId = await destination(given, { adoptFrom: 80, askFrom: 50 })
  for (const change of [{ adoptFrom: 0 }, { askFrom: 101 }, { adoptFrom: 40, askFrom: 50 }, { askFrom: 1.5 }])
    await expect(updateDestination(world.parts(), destinationId, change)).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
    })
  // Of what is taken nobody is asked.
  expect(await updateDestination(world.parts(), destinationId, { adoptFrom: 40 })).toMatchObject({ ask_from: 40 })
})
