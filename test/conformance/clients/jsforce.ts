/** What people call of jsforce, Salesforce's client for Node: records, queries, bulk jobs, metadata and what an org tells of itself. */
import type jsforce from '@jsforce/jsforce-node'
import { expect } from 'vitest'
import type { CallElsewhere, ClientCall } from './client-call.ts'

type Org = jsforce.Connection
type Call = ClientCall<Org>
type Elsewhere = CallElsewhere<Org>

const id = expect.stringMatching(/^[A-Za-z0-9]{18}$/)
const saved = expect.objectContaining({ id, success: true, errors: [] })
const some = (of: object) => expect.objectContaining(of)
const among = (...rows: readonly unknown[]) => expect.arrayContaining([...rows])

let made = 0
const lead = (more: Record<string, unknown> = {}) => {
  made += 1
  return { LastName: `Naik ${made}`, Company: 'Zuari Foods', ...more }
}
const createLead = async (org: Org, more: Record<string, unknown> = {}): Promise<string> =>
  String((await org.sobject('Lead').create(lead(more))).id)
const createLeads = async (org: Org): Promise<string[]> =>
  (await org.sobject('Lead').create([lead(), lead()])).map((each) => String(each.id))

const records: readonly Call[] = [
  { name: 'sobject.create', run: (org) => org.sobject('Lead').create(lead()), gives: saved },
  { name: 'sobject.insert of many', run: (org) => org.sobject('Lead').insert([lead(), lead()]), gives: [saved, saved] },
  {
    name: 'sobject.create of a row without its last name',
    run: (org) => org.sobject('Lead').create([{ Company: 'Zuari Foods' }]),
    gives: [some({ success: false, errors: [some({ statusCode: 'REQUIRED_FIELD_MISSING', fields: ['LastName'] })] })],
  },
  {
    name: 'sobject.create of a member of a campaign, twice',
    run: async (org) => {
      const member = { CampaignId: '701000000000001AAA', LeadId: await createLead(org) }
      return org.sobject('CampaignMember').create([member, member])
    },
    gives: [saved, some({ success: false, errors: [some({ statusCode: 'DUPLICATE_VALUE' })] })],
  },
  {
    name: 'sobject.retrieve',
    run: async (org) => org.sobject('Lead').retrieve(await createLead(org, { City: 'Panaji' })),
    gives: some({ Id: id, City: 'Panaji' }),
  },
  {
    name: 'sobject.retrieve of many',
    run: async (org) => org.sobject('Lead').retrieve(await createLeads(org), { fields: ['Company'] }),
    gives: [some({ Company: 'Zuari Foods' }), some({ Company: 'Zuari Foods' })],
  },
  {
    name: 'sobject.update',
    run: async (org) => org.sobject('Lead').update({ Id: await createLead(org), City: 'Mapusa' }),
    gives: saved,
  },
  {
    name: 'sobject.update of many',
    run: async (org) =>
      org.sobject('Lead').update(
        (await createLeads(org)).map((Id) => ({ Id, City: 'Mapusa' })),
        { allOrNone: true },
      ),
    gives: [saved, saved],
  },
  {
    name: 'sobject.upsert by Id',
    run: async (org) => org.sobject('Lead').upsert({ Id: await createLead(org), City: 'Margao' }, 'Id'),
    gives: some({ id, success: true }),
  },
  {
    name: 'sobject.upsert of many by an external id',
    run: async (org) => {
      await externalId(org)
      return org.sobject('Lead').upsert([lead({ Number__c: 'a' }), lead({ Number__c: 'b' })], 'Number__c')
    },
    gives: [some({ success: true, created: expect.any(Boolean) }), some({ success: true })],
  },
  { name: 'sobject.destroy', run: async (org) => org.sobject('Lead').destroy(await createLead(org)), gives: saved },
  {
    name: 'sobject.delete of many',
    run: async (org) => org.sobject('Lead').delete(await createLeads(org)),
    gives: [saved, saved],
  },
  {
    name: 'sobject.record.update',
    run: async (org) =>
      org
        .sobject('Lead')
        .record(await createLead(org))
        .update({ City: 'Ponda' }),
    gives: saved,
  },
]

const queries: readonly Call[] = [
  {
    name: 'query',
    run: async (org) => org.query(`SELECT Id, Company FROM Lead WHERE Id = '${await createLead(org)}'`),
    gives: some({ done: true, totalSize: 1, records: [some({ Company: 'Zuari Foods' })] }),
  },
  {
    name: 'query with COUNT()',
    run: async (org) => (await org.query(`SELECT COUNT() FROM Lead WHERE Id = '${await createLead(org)}'`)).totalSize,
    gives: 1,
  },
  {
    name: 'query with scanAll',
    run: async (org) => {
      const gone = await createLead(org)
      await org.sobject('Lead').destroy(gone)
      return (await org.query(`SELECT Id FROM Lead WHERE Id = '${gone}'`, { scanAll: true })).totalSize
    },
    gives: 1,
  },
  {
    name: 'sobject.find',
    run: async (org) =>
      org
        .sobject('Lead')
        .find({ Id: await createLead(org) }, ['Id', 'Company'])
        .limit(1),
    gives: [some({ Company: 'Zuari Foods' })],
  },
  {
    name: 'sobject.find of all fields, sorted',
    run: async (org) =>
      org
        .sobject('Lead')
        .find({ Id: await createLead(org) })
        .sort('-LastName')
        .limit(5),
    gives: [some({ Company: 'Zuari Foods', LastName: expect.any(String) })],
  },
  {
    name: 'sobject.findOne',
    run: async (org) => org.sobject('Lead').findOne({ Id: await createLead(org) }, ['Company']),
    gives: some({ Company: 'Zuari Foods' }),
  },
  { name: 'sobject.count', run: async (org) => org.sobject('Lead').count({ Id: await createLead(org) }), gives: 1 },
]

const told: readonly Call[] = [
  { name: 'identity', run: (org) => org.identity(), gives: some({ organization_id: '00D000000000001EAA' }) },
  {
    name: 'limits',
    run: (org) => org.limits(),
    gives: some({ DailyApiRequests: { Max: 100_000, Remaining: expect.any(Number) } }),
  },
  {
    name: 'describeGlobal',
    run: (org) => org.describeGlobal(),
    gives: some({ sobjects: among(some({ name: 'Lead', keyPrefix: '00Q' })) }),
  },
  {
    name: 'sobject.describe',
    run: (org) => org.sobject('Lead').describe(),
    gives: some({ fields: among(some({ name: 'LastName', length: 80 })) }),
  },
  { name: 'describe of an object that is none', run: (org) => failureOf(org.describe('Lode')), gives: 'NOT_FOUND' },
  {
    name: 'requestGet of the versions',
    run: (org) => org.requestGet('/services/data'),
    gives: among(some({ version: '66.0' })),
  },
  {
    name: 'requestGet of the resources',
    run: (org) => org.requestGet('/services/data/v66.0'),
    gives: some({ limits: '/services/data/v66.0/limits' }),
  },
  {
    name: 'request of what is told of one object',
    run: (org) => org.requestGet('/services/data/v66.0/sobjects/Lead'),
    gives: some({ objectDescribe: some({ name: 'Lead' }) }),
  },
  {
    name: 'requestPost of a composite request',
    run: (org) =>
      org.requestPost('/services/data/v66.0/composite', {
        compositeRequest: [
          { method: 'GET', url: '/services/data/v66.0/query?q=SELECT+COUNT()+FROM+Lead', referenceId: 'leads' },
        ],
      }),
    gives: { compositeResponse: [some({ httpStatusCode: 200, referenceId: 'leads' })] },
  },
  {
    name: 'limitInfo after a call',
    run: async (org) => {
      await org.limits()
      return org.limitInfo
    },
    gives: { apiUsage: { used: expect.any(Number), limit: 100_000 } },
  },
]

const bulk: readonly Call[] = [
  {
    name: 'bulk2.loadAndWaitForResults',
    run: (org) =>
      org.bulk2.loadAndWaitForResults({
        ...{ object: 'Lead', operation: 'insert', input: [lead(), { Company: 'Zuari Foods' }] },
        ...{ pollInterval: 10, pollTimeout: 10_000 },
      }),
    gives: some({
      successfulResults: [some({ sf__Id: id })],
      failedResults: [some({ sf__Error: expect.any(String) })],
    }),
  },
  {
    name: 'bulk2.loadAndWaitForResults of an upsert by Id',
    run: async (org) =>
      org.bulk2.loadAndWaitForResults({
        ...{ object: 'Lead', operation: 'upsert', externalIdFieldName: 'Id' },
        // The columns of the file are those of the first row.
        input: [await createLead(org), '', '00Q000000999999AAA'].map((Id) => ({ Id, ...lead({ City: 'Margao' }) })),
        ...{ pollInterval: 10, pollTimeout: 10_000 },
      }),
    gives: some({
      successfulResults: among(some({ sf__Created: 'false' }), some({ sf__Created: 'true' })),
      failedResults: [some({ sf__Error: expect.stringContaining('INVALID_CROSS_REFERENCE_KEY') })],
    }),
  },
  {
    name: 'bulk2.createJob, close and check',
    run: async (org) => {
      const job = org.bulk2.createJob({ object: 'Lead', operation: 'insert' })
      await job.open()
      await job.uploadData([lead()])
      await job.close()
      await job.poll(10, 10_000)
      return job.check()
    },
    gives: some({ state: 'JobComplete', numberRecordsProcessed: 1 }),
  },
  {
    name: 'bulk2 list of jobs',
    run: async (org) => {
      const job = org.bulk2.createJob({ object: 'Lead', operation: 'insert' })
      const { id: jobId } = await job.open()
      const { records: jobs } = await org.request<{ records: { id: string }[] }>('/services/data/v66.0/jobs/ingest')
      return jobs.some((each) => each.id === jobId)
    },
    gives: true,
  },
]

const metadata: readonly Call[] = [
  {
    name: 'tooling.create of a field',
    run: (org) => fieldOf(org, `Field_${++made}__c`),
    gives: some({ success: true }),
  },
]

/** Of the parts of Salesforce that no connector calls. */
export const jsforceElsewhere: readonly Elsewhere[] = [
  { name: 'sobject.deleted', run: (org) => org.sobject('Lead').deleted(hourAgo(), inAnHour()) },
  { name: 'sobject.updated', run: (org) => org.sobject('Lead').updated(hourAgo(), inAnHour()) },
  { name: 'query with GROUP BY', run: (org) => org.query('SELECT City, COUNT(Id) n FROM Lead GROUP BY City') },
  { name: 'query across a relationship', run: (org) => org.query('SELECT Account.Name FROM Contact') },
  { name: 'query by a day', run: (org) => org.query('SELECT Id FROM Lead WHERE CreatedDate = TODAY') },
  { name: 'search', run: (org) => org.search('FIND {Naik} IN ALL FIELDS RETURNING Lead(Id)') },
  { name: 'tooling.query', run: (org) => org.tooling.query('SELECT Id FROM ApexClass') },
  { name: 'recent', run: (org) => org.recent() },
  { name: 'theme', run: (org) => org.theme() },
  { name: 'tabs', run: (org) => org.tabs() },
  { name: 'quickActions', run: (org) => org.quickActions() },
  { name: 'sobject.layouts', run: (org) => org.sobject('Lead').layouts() },
  { name: 'sobject.compactLayouts', run: (org) => org.sobject('Lead').compactLayouts() },
  { name: 'sobject.approvalLayouts', run: (org) => org.sobject('Lead').approvalLayouts() },
  { name: 'sobject.listviews', run: (org) => org.sobject('Lead').listviews() },
  { name: 'query.explain', run: (org) => org.sobject('Lead').find({}, ['Id']).explain() },
  { name: 'analytics.reports', run: (org) => org.analytics.reports() },
  { name: 'chatter.resource', run: async (org) => org.chatter.resource('/users/me').retrieve() },
  { name: 'apex.get', run: (org) => org.apex.get('/Leads') },
  { name: 'process.rule.list', run: (org) => org.process.rule.list() },
  { name: 'process.approval.list', run: (org) => org.process.approval.list() },
  { name: 'tooling.executeAnonymous', run: (org) => org.tooling.executeAnonymous('System.debug(1);') },
  { name: 'bulk2.query', run: (org) => org.bulk2.query('SELECT Id FROM Lead') },
  { name: 'bulk.load of version 1', run: async (org) => org.bulk.load('Lead', 'insert', [lead()]) },
  { name: 'metadata.read', run: (org) => org.metadata.read('CustomObject', ['Lead']) },
  { name: 'metadata.list', run: (org) => org.metadata.list({ type: 'CustomObject' }) },
  { name: 'metadata.describe', run: (org) => org.metadata.describe() },
]

export const jsforceCalls: readonly Call[] = [...records, ...queries, ...told, ...bulk, ...metadata]

const hourAgo = () => new Date(Date.now() - 3_600_000)
const inAnHour = () => new Date(Date.now() + 3_600_000)

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'it succeeded',
    (error: { errorCode?: unknown }) => error.errorCode,
  )

function fieldOf(org: Org, name: string) {
  const Metadata = { type: 'Text', label: name, length: 80, unique: true, externalId: true }
  return org.tooling.sobject('CustomField').create({ FullName: `Lead.${name}`, Metadata })
}

/** There from the first call that needs it. */
async function externalId(org: Org): Promise<void> {
  const { fields } = await org.describe('Lead')
  if (!fields.some(({ name }) => name === 'Number__c')) await fieldOf(org, 'Number__c')
}
