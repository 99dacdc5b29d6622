/** The vendors' forms of "no room for more": which hold everybody's leads, and which are one lead's own fault. */
import { expect, test } from 'vitest'
import type { HubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import type { SalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { acknowledged, type ConnectorUnderTest, World } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'
import { hubspotSubject, salesforceBulkSubject, salesforceSubject, zohoSubject } from './subjects.ts'

async function withWorld(subject: ConnectorUnderTest, work: (world: World) => Promise<void>): Promise<void> {
  const world = await World.create(subject)
  try {
    await work(world)
  } finally {
    await world.close()
  }
}

/** The vendor's own word, and by which menu room is made. */
const told = (message: string) =>
  expect.stringMatching(new RegExp(`^${message.replace(/\.$/, '')}\\. What to do: Set(up|tings) > `))

const salesforceForms = [
  ['LICENSE_LIMIT_EXCEEDED', 'license limit exceeded'],
  ['LIMIT_EXCEEDED', 'You have exceeded a limit of your organization'],
  ['EXCEEDED_QUOTA', 'quota exceeded'],
  ['ORG_LOCKED', 'the organization has been locked'],
  ['TRIAL_EXPIRED', 'the trial has expired'],
] as const

test.each(salesforceForms)('Salesforce’s %s holds all leads, by row, by call and by job', async (code, message) => {
  const leads = [gstLead(1), gstLead(2)]
  const held = { status: 'deferred', blocks: true, code, message: told(message) }
  await withWorld(salesforceSubject, async (world) => {
    const session = await world.ready()
    const org = world.sandbox as SalesforceSandbox
    org.fill({ statusCode: code, message })
    expect(await session.push(leads)).toMatchObject([held, held])
    org.fill(null)
    const body = [{ errorCode: code, message }]
    world.sandbox.addFault({ kind: 'status', status: 403, body, match: '/composite/sobjects' })
    await expect(session.push(leads)).rejects.toMatchObject({
      code: 'CRM_LIMIT_REACHED',
      message: told(message),
    })
  })
  await withWorld(salesforceBulkSubject, async (world) => {
    const session = await world.ready()
    const org = world.sandbox as SalesforceSandbox
    org.fill({ statusCode: code, message })
    expect(await session.push(leads)).toMatchObject([held, held])
  })
})

test('a limit that names a field is that lead’s own fault: the lead is refused, and the others are written', async () => {
  await withWorld(salesforceSubject, async (world) => {
    const session = await world.ready()
    const error = { statusCode: 'LIMIT_EXCEEDED', message: 'too many values', fields: ['Description'] }
    const body = [
      { success: false, errors: [error] },
      { success: true, id: '00Q000000000001AAA', created: true, errors: [] },
    ]
    world.sandbox.addFault({ kind: 'status', status: 200, body, match: '/composite/sobjects' })
    expect(await session.push([gstLead(1), gstLead(2)])).toMatchObject([
      { status: 'rejected', code: 'LIMIT_EXCEEDED', field: 'Description' },
      { status: 'created' },
    ])
  })
  await withWorld(zohoSubject, async (world) => {
    const session = await world.ready()
    const details = { api_name: 'Description', limit: 100 }
    const body = { data: [{ code: 'LIMIT_EXCEEDED', details, message: 'too many values', status: 'error' }] }
    world.sandbox.addFault({ kind: 'status', status: 202, body, match: 'POST /crm/v8/Leads' })
    expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'rejected', field: 'Description' }])
  })
})

test('a bulk job that fails at the org’s quota puts its leads off with that word, and holds the others', async () => {
  await withWorld(salesforceBulkSubject, async (world) => {
    const session = await world.ready()
    const org = world.sandbox as SalesforceSandbox
    org.failJobs('ExceededQuota : ApiBatchItems Limit exceeded.')
    const held = { status: 'deferred', blocks: true, code: 'EXCEEDED_QUOTA', message: /ApiBatchItems Limit exceeded/ }
    const told = await session.push([gstLead(1), gstLead(2)])
    expect(told).toMatchObject([1, 2].map(() => ({ ...held, message: expect.stringMatching(held.message) })))
    org.failJobs(null)
    for (const { status } of await session.push([gstLead(1), gstLead(2)])) expect(status).toBe('created')
  })
})

test('a quota of jobs alone holds nobody: the leads go in calls of another kind', async () => {
  await withWorld(salesforceBulkSubject, async (world) => {
    const session = await world.ready()
    const body = [{ errorCode: 'EXCEEDED_QUOTA', message: 'ApiBatchItems Limit exceeded.' }]
    const match = 'POST /services/data/v66.0/jobs/ingest'
    world.sandbox.addFault({ kind: 'status', status: 400, body, match, times: 1000 })
    for (const { status } of await session.push([gstLead(1), gstLead(2)])) expect(acknowledged).toContain(status)
  })
})

const hubspotForms = [
  { category: 'VALIDATION_ERROR', subCategory: 'CrmLimits.LIMIT_EXCEEDED', message: 'no more' },
  { category: 'OBJECT_LIMIT_REACHED', message: 'no more' },
  { category: 'VALIDATION_ERROR', message: 'no more', errors: [{ message: 'no more', code: 'LIMIT_EXCEEDED' }] },
  { category: 'VALIDATION_ERROR', message: 'You have reached the limit of 1000000 companies in your account.' },
]

test.each(hubspotForms)(
  'HubSpot’s limit of records holds all leads, told by $category and "$message"',
  async (fault) => {
    await withWorld(hubspotSubject, async (world) => {
      const session = await world.ready()
      const leads = [gstLead(1), gstLead(2)]
      const match = '/batch/upsert|/batch/create'
      world.sandbox.addFault({ kind: 'status', status: 400, body: { status: 'error', ...fault }, match })
      await expect(session.push(leads)).rejects.toMatchObject({
        code: 'CRM_LIMIT_REACHED',
        message: told(fault.message),
      })
      const rows = leads.map(({ itemId }) => ({ status: 'error', ...fault, context: { objectWriteTraceId: [itemId] } }))
      const body = { status: 'COMPLETE', results: [], numErrors: 2, errors: rows }
      world.sandbox.addFault({ kind: 'status', status: 207, body, match })
      const held = { status: 'deferred', blocks: true, message: told(fault.message) }
      expect(await session.push(leads)).toMatchObject([held, held])
    })
  },
)

test.each([
  { category: 'VALIDATION_ERROR', subCategory: 'ASSOCIATION_LIMIT_EXCEEDED', message: 'too many' },
  { category: 'VALIDATION_ERROR', message: 'The value has exceeded the length limit' },
])('HubSpot’s limit of one record is that lead’s own fault: $subCategory "$message"', async (fault) => {
  await withWorld(hubspotSubject, async (world) => {
    const session = await world.ready()
    const body = { status: 'error', ...fault }
    world.sandbox.addFault({ kind: 'status', status: 400, body, match: '/batch/upsert|/batch/create' })
    expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'rejected', message: fault.message }])
  })
})

test('a HubSpot account without room for Panji’s properties is a to-do with HubSpot’s word, and set-up goes on once there is', async () => {
  await withWorld(hubspotSubject, async (world) => {
    const account = world.sandbox as HubspotSandbox
    account.allow({ properties: 1 })
    const [company, contact] = (await world.open().setup()).todo
    expect(company).toContain('reached its limit of 1 custom properties')
    expect(contact).toContain('reached its limit of 1 custom properties')
    account.allow({ properties: null })
    expect((await world.open().setup()).todo).toEqual([])
  })
})
