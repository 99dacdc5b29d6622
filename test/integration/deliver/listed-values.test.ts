/** Values that restricted lists of a CRM lack: told before, translated where the customer says so, and no reason to refuse a lead. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { createZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { addDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const leads = [gstLead(1), gstLead(2), gstLead(3, { Lead_Source: 'COLD CALL', District: 'Textiles' })]

let box: Sandbox
let server: RunningSandboxes
beforeEach(() => world.stopWorker())
afterEach(() => server.close())

const crms = [
  {
    crm: 'salesforce',
    create: () =>
      createSalesforceSandbox({ restrictedPicklists: { 'Lead.LeadSource': ['Advertisement', 'Cold Call'] } }),
    ...{ field: 'LeadSource', column: 'Lead_Source', lacking: 'Panji', meant: 'Advertisement', listed: 'Cold Call' },
    mapping: [],
    description: { Description: expect.stringContaining('Lead_Source: Panji') },
  },
  {
    crm: 'zoho',
    create: createZohoSandbox,
    ...{ field: 'Lead_Source', column: 'Lead_Source', lacking: 'Panji', meant: 'Advertisement', listed: 'Cold Call' },
    mapping: [],
    description: { Description: expect.stringContaining('Lead_Source: Panji') },
  },
  {
    crm: 'hubspot',
    create: createHubspotSandbox,
    ...{ field: 'companies.industry', column: null, lacking: 'North Goa', meant: 'BANKING', listed: 'TEXTILES' },
    mapping: [{ field: 'companies.industry', value: { column: 'District' } }],
    description: {},
  },
]

describe.each(crms)('$crm', ({ crm, create, field, column, lacking, meant, listed, mapping, description }) => {
  const held = () =>
    box
      .records()
      .map(({ properties }) => properties)
      .filter((properties) => JSON.stringify(properties).includes('gst:30'))
      .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
  const name = field.replace(/^.*\./, '')

  test('reports in the test and in the plan which values its lists lack, with counts, and rejects no lead for it', async () => {
    box = create()
    server = await startSandboxes([box], { port: 0 })
    const { db } = world.database
    const given = { accountId: world.accountId(), connector: crm, name: 'CRM', settings: server.settings(crm) }
    const destinationId = (await addDestination(db, world.connectors, world.secretKey, given)).destination_id
    await db.execute('UPDATE deliver.destination SET mapping = $2 WHERE destination_id = $1', [
      destinationId,
      JSON.stringify(mapping),
    ])
    const orderId = await world.order(leads)
    const lists = async () => {
      const { ok, checks } = await testDestination(world.parts(), destinationId, signal)
      expect(ok).toBe(true)
      return checks.find((check) => check.name === 'lists')?.detail
    }
    const plan = () => planPush(world.parts(), { orderId, destinationId }, signal)
    expect(await lists()).toContain(`"${lacking}" of ${column ?? 'the mapping'} for ${field} (2 leads)`)
    const { counts, misfits } = await plan()
    expect(counts).toMatchObject({ create: 3, reject: 0 })
    expect(misfits).toEqual([{ field, column, value: lacking, leads: 2 }])

    await world.push(orderId, destinationId)
    await reconcile(world.parts(), destinationId, signal)
    expect(await world.counts(orderId)).toEqual({ acknowledged: 3, rejected: 0, open: 0 })
    const without = held().filter((properties) => (properties[name] ?? '') === '')
    expect(without).toMatchObject([description, description])
    expect(held().map((properties) => properties[name] ?? '')).toContain(listed)

    const settings = { ...server.settings(crm), list_values: { [field]: { [lacking.toLowerCase()]: meant } } }
    await updateDestination(world.parts(), destinationId, { settings })
    expect(await lists()).toBeUndefined()
    const newer = await world.order([gstLead(4)])
    expect((await planPush(world.parts(), { orderId: newer, destinationId }, signal)).misfits).toEqual([])
    await world.push(newer, destinationId)
    await reconcile(world.parts(), destinationId, signal)
    expect(held().map((properties) => properties[name])).toContain(meant)
  })

  test('says of its settings what no list has', async () => {
    box = create()
    server = await startSandboxes([box], { port: 0 })
    const settings = { ...server.settings(crm), list_values: { [field]: { x: 'Nowhere' }, Elsewhere: { x: 'y' } } }
    const given = { accountId: world.accountId(), connector: crm, name: 'CRM', settings }
    const { destination_id: id } = await addDestination(world.database.db, world.connectors, world.secretKey, given)
    const { checks } = await testDestination(world.parts(), id, signal)
    const told = checks.find((check) => check.name === 'set-up')?.detail
    expect(told).toContain(`list_values of ${field} names what its list lacks: Nowhere.`)
    expect(told).toContain('list_values names Elsewhere, which is no field with a restricted list.')
  })
})
