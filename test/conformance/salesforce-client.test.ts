/** jsforce drives the sandbox as it drives an org: queries, single records, collections, bulk jobs, describes, and what orgs refuse. */
import type jsforce from '@jsforce/jsforce-node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createSalesforceSandbox,
  type SalesforceSandbox,
  type SalesforceSandboxOptions,
} from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { connect } from './salesforce-org.ts'

let sandbox: SalesforceSandbox
let server: RunningSandboxes
let client: jsforce.Connection

async function start(options: SalesforceSandboxOptions = {}): Promise<void> {
  sandbox = createSalesforceSandbox(options)
  server = await startSandboxes([sandbox], { port: 0 })
  client = await connect(server.settings('salesforce'))
}
beforeEach(() => start())
afterEach(() => server.close())
async function restart(options: SalesforceSandboxOptions) {
  await server.close()
  await start(options)
}

const lead = (LastName: string, more: Record<string, unknown> = {}) => ({ LastName, Company: 'Zuari Foods', ...more })
const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => {
      throw new Error('it succeeded')
    },
    (error: unknown) => error as { errorCode: string; message: string; data: unknown },
  )

describe('queries', () => {
  const namesOf = async (soql: string) =>
    (await client.query<{ LastName: string }>(soql)).records.map(({ LastName }) => LastName)

  beforeEach(async () => {
    const rows = [
      lead('Naik', { City: 'Panaji', AnnualRevenue: 7 }),
      lead("D'Souza", { City: 'Vasco', AnnualRevenue: 30 }),
      lead('Kamat', { City: 'Panaji' }),
    ]
    await client.sobject('Lead').create(rows)
  })

  test.each([
    [`City = 'Panaji'`, ['Kamat', 'Naik']],
    [`City != 'Panaji'`, ["D'Souza"]],
    [`LastName = 'D\\'Souza'`, ["D'Souza"]],
    [`LastName IN ('Naik', 'Kamat') AND NOT City = 'Vasco'`, ['Kamat', 'Naik']],
    [`LastName NOT IN ('Naik')`, ["D'Souza", 'Kamat']],
    [`(City = 'Vasco' OR AnnualRevenue < 10) AND AnnualRevenue != null`, ["D'Souza", 'Naik']],
    [`LastName LIKE '%a_a%'`, ['Kamat']],
    [`AnnualRevenue >= 7`, ["D'Souza", 'Naik']],
    [`IsConverted = false`, ["D'Souza", 'Kamat', 'Naik']],
  ])('WHERE %s', async (where, expected) => {
    expect(await namesOf(`SELECT Id, LastName FROM Lead WHERE ${where} ORDER BY LastName`)).toEqual(expected)
  })

  test('are counted, ordered, limited, and built by the client', async () => {
    expect((await client.query('SELECT COUNT() FROM Lead')).totalSize).toBe(3)
    expect(await namesOf('SELECT LastName FROM Lead ORDER BY LastName DESC LIMIT 1 OFFSET 1')).toEqual(['Kamat'])
    const found = await client.sobject('Lead').find({ City: 'Panaji' }, ['LastName']).sort({ LastName: -1 }).limit(1)
    expect(found.map(({ LastName }) => LastName)).toEqual(['Naik'])
  })

  test('of more than two thousand rows are fetched page by page', async () => {
    for (let n = 0; n < 11; n += 1)
      await client.sobject('Lead').create(Array.from({ length: 200 }, (_, m) => lead(`Row ${n} ${m}`)))
    const first = await client.query('SELECT Id FROM Lead')
    expect(first).toMatchObject({ totalSize: 2203, done: false })
    expect(first.records).toHaveLength(2000)
    const rest = await client.queryMore(String(first.nextRecordsUrl))
    expect(rest).toMatchObject({ done: true })
    expect(rest.records).toHaveLength(203)
  })

  test.each([
    ['SELECT Id FROM Nothing', 'INVALID_TYPE'],
    ['SELECT Nothing FROM Lead', 'INVALID_FIELD'],
    [`SELECT Id FROM Lead WHERE Nothing = 'x'`, 'INVALID_FIELD'],
    ['SELECT FROM Lead', 'MALFORMED_QUERY'],
    [`SELECT Id FROM Lead WHERE (City = 'x'`, 'MALFORMED_QUERY'],
  ])('%s is refused with %s', async (soql, errorCode) => {
    expect(await failureOf(client.query(soql))).toMatchObject({ errorCode })
  })
})

describe('records', () => {
  test('are created, read, changed and deleted one by one', async () => {
    const { id } = await client.sobject('Lead').create(lead('Naik'))
    expect(await client.sobject('Lead').retrieve(String(id))).toMatchObject({ LastName: 'Naik', Name: 'Naik' })
    await client.sobject('Lead').update({ Id: String(id), FirstName: 'Asha' })
    expect(await client.sobject('Lead').retrieve(String(id))).toMatchObject({ Name: 'Asha Naik' })
    await client.sobject('Lead').destroy(String(id))
    expect(await failureOf(client.sobject('Lead').retrieve(String(id)))).toMatchObject({ errorCode: 'NOT_FOUND' })
  })

  test('are created, read, changed and deleted in collections, a result for each', async () => {
    const made = await client.sobject('Lead').create([lead('Naik'), { Company: 'No name' }, lead('Kamat')])
    expect(made.map(({ success }) => success)).toEqual([true, false, true])
    expect(made[1]?.errors[0]).toMatchObject({ statusCode: 'REQUIRED_FIELD_MISSING', fields: ['LastName'] })
    const ids = made.flatMap(({ id }) => (id === undefined ? [] : [id]))
    await client.sobject('Lead').update(ids.map((Id) => ({ Id, City: 'Panaji' })))
    const read = await client.sobject('Lead').retrieve(ids, { fields: ['City'] })
    expect(read.map((each) => each?.['City'])).toEqual(['Panaji', 'Panaji'])
    expect((await client.sobject('Lead').destroy(ids)).map(({ success }) => success)).toEqual([true, true])
  })

  test('are all rolled back if one is bad and the caller wants all or none', async () => {
    const made = await client.sobject('Lead').create([lead('Naik'), { Company: 'No name' }], { allOrNone: true })
    expect(made.map(({ errors }) => (errors[0] as unknown as { statusCode: string }).statusCode)).toEqual([
      'ALL_OR_NONE_OPERATION_ROLLED_BACK',
      'REQUIRED_FIELD_MISSING',
    ])
    expect(sandbox.records()).toEqual([])
  })

  test('are upserted by an external id; two of one id are a choice for the caller', async () => {
    await client.tooling.sobject('CustomField').create({
      FullName: 'Lead.Ours__c',
      Metadata: { type: 'Text', label: 'Ours', length: 20, externalId: true },
    } as never)
    const upsert = (more = {}) => client.sobject('Lead').upsert(lead('Naik', { Ours__c: 'A 1', ...more }), 'Ours__c')
    expect(await upsert()).toMatchObject({ success: true, created: true })
    expect(await upsert({ City: 'Panaji' })).toMatchObject({ success: true, created: false })
    expect(sandbox.records()).toHaveLength(1)
    await client.sobject('Lead').create(lead('Kamat', { Ours__c: 'A 1' }))
    expect(await failureOf(upsert())).toMatchObject({ errorCode: 'MULTIPLE_CHOICES' })
  })

  test('keep their read-only fields', async () => {
    expect(await failureOf(client.sobject('Lead').create(lead('Naik', { IsConverted: true })))).toMatchObject({
      errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE',
    })
  })
})

describe('what orgs refuse', () => {
  const rule = { object: 'Lead', fields: ['Email'], allowSave: true }

  test('a duplicate rule that warns stops a record until the caller saves it all the same', async () => {
    await restart({ duplicateRules: [rule] })
    const email = { Email: 'office@zuari.example.com' }
    const { id } = await client.sobject('Lead').create(lead('Naik', email))
    const [warned] = await client.sobject('Lead').create([lead('Kamat', email)])
    expect(warned?.errors[0]).toMatchObject({
      statusCode: 'DUPLICATES_DETECTED',
      duplicateResult: { allowSave: true, matchResults: [{ matchRecords: [{ record: { Id: id } }] }] },
    })
    const headers = { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' }
    const [saved] = await client.sobject('Lead').create([lead('Kamat', email)], { headers })
    expect(saved?.success).toBe(true)
  })

  test('a duplicate rule that blocks is not to be talked round', async () => {
    await restart({ duplicateRules: [{ ...rule, allowSave: false }] })
    const headers = { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' }
    const rows = [lead('Naik', { Email: 'a@b.example.com' }), lead('Kamat', { Email: 'A@b.example.com' })]
    const made = await client.sobject('Lead').create(rows, { headers })
    expect(made.map(({ success }) => success)).toEqual([true, false])
  })

  test('a record that somebody else writes is locked, and free again', async () => {
    const { id } = await client.sobject('Lead').create(lead('Naik'))
    sandbox.lock(String(id))
    const write = async () => (await client.sobject('Lead').update([{ Id: String(id), City: 'Panaji' }]))[0]
    expect((await write())?.errors[0]).toMatchObject({ statusCode: 'UNABLE_TO_LOCK_ROW' })
    expect((await write())?.success).toBe(true)
  })

  test('a converted lead is a contact from then on, and is written no more', async () => {
    const { id } = await client.sobject('Lead').create(lead('Naik', { City: 'Panaji' }))
    const contactId = sandbox.convert(String(id))
    expect(await client.sobject('Lead').retrieve(String(id))).toMatchObject({
      IsConverted: true,
      ConvertedContactId: contactId,
    })
    expect(await client.sobject('Contact').retrieve(contactId)).toMatchObject({
      LastName: 'Naik',
      MailingCity: 'Panaji',
    })
    expect(await failureOf(client.sobject('Lead').update({ Id: String(id), City: 'Vasco' }))).toMatchObject({
      errorCode: 'CANNOT_UPDATE_CONVERTED_LEAD',
    })
  })
})

describe('bulk jobs', () => {
  const ingest = (operation: 'insert' | 'upsert' | 'delete', externalIdFieldName?: string) =>
    client.bulk2.createJob({ object: 'Lead', operation, ...(externalIdFieldName ? { externalIdFieldName } : {}) })
  const finished = async (job: ReturnType<typeof ingest>) => {
    const states: string[] = []
    for (let state = ''; !['JobComplete', 'Failed', 'Aborted'].includes(state); ) {
      ;({ state } = await job.check())
      states.push(state)
    }
    return states
  }

  test('go from open through upload and processing to their end, and report every row', async () => {
    const job = ingest('insert')
    expect(await job.open()).toMatchObject({ id: expect.stringMatching(/^750/), state: 'Open', contentType: 'CSV' })
    await job.uploadData([lead('Naik'), { Company: 'No name' }, lead('O\'Brien, "Jr"')])
    await job.close()
    expect(await finished(job)).toEqual(['InProgress', 'JobComplete'])
    expect(await job.check()).toMatchObject({ numberRecordsProcessed: 3, numberRecordsFailed: 1 })
    const { successfulResults, failedResults, unprocessedRecords } = await job.getAllResults()
    expect(successfulResults.map((row) => (row as unknown as { LastName: string }).LastName).sort()).toEqual([
      'Naik',
      `O'Brien, "Jr"`,
    ])
    expect(successfulResults[0]).toMatchObject({ sf__Id: expect.stringMatching(/^00Q/), sf__Created: 'true' })
    expect(failedResults).toMatchObject([
      { sf__Error: expect.stringMatching(/^REQUIRED_FIELD_MISSING:.*LastName/), Company: 'No name' },
    ])
    expect(unprocessedRecords).toEqual([])
  })

  test('upsert by an external id; an empty cell leaves alone and #N/A clears', async () => {
    await client.tooling.sobject('CustomField').create({
      FullName: 'Lead.Ours__c',
      Metadata: { type: 'Text', label: 'Ours', length: 20, externalId: true, unique: true },
    } as never)
    const run = async (row: Record<string, unknown>) => {
      const job = ingest('upsert', 'Ours__c')
      await job.open()
      await job.uploadData([{ Ours__c: 'one', ...row }] as never)
      await job.close()
      await finished(job)
      return job.getSuccessfulResults()
    }
    expect(await run(lead('Naik', { City: 'Panaji', State: 'Goa' }))).toMatchObject([{ sf__Created: 'true' }])
    expect(await run(lead('Naik', { City: '', State: null }))).toMatchObject([{ sf__Created: 'false' }])
    expect(sandbox.records()).toMatchObject([{ properties: { City: 'Panaji', State: null } }])
  })

  test('that fail in the midst leave rows unprocessed, and say which', async () => {
    await restart({ bulkFailsAfter: 2 })
    const job = ingest('insert')
    await job.open()
    await job.uploadData([lead('One'), lead('Two'), lead('Three')])
    await job.close()
    expect(await finished(job)).toEqual(['InProgress', 'Failed'])
    expect(await job.check()).toMatchObject({ errorMessage: expect.stringMatching(/./), numberRecordsProcessed: 2 })
    expect(await job.getSuccessfulResults()).toHaveLength(2)
    expect(await job.getUnprocessedRecords()).toMatchObject([{ LastName: 'Three' }])
  })

  test('that name no field fail as a whole', async () => {
    const job = ingest('insert')
    await job.open()
    await job.uploadData([{ Nothing: 'x' }] as never)
    await job.close()
    await finished(job)
    expect(await job.check()).toMatchObject({ state: 'Failed', errorMessage: expect.stringContaining('Nothing') })
  })

  test('take one upload, and are aborted and deleted only in the states that allow it', async () => {
    const job = ingest('insert')
    await job.open()
    await job.uploadData([lead('Naik')])
    const again = client.bulk2.job('ingest', { id: String(job.id) })
    await again.check()
    expect(await failureOf(again.uploadData([lead('Kamat')]))).toMatchObject({ errorCode: 'INVALIDJOBSTATE' })
    expect(await failureOf(job.delete())).toMatchObject({ errorCode: 'INVALIDJOBSTATE' })
    await job.abort()
    expect((await job.check()).state).toBe('Aborted')
    await job.delete()
    expect(await failureOf(job.check())).toMatchObject({ errorCode: 'NOT_FOUND' })
    expect(sandbox.records()).toEqual([])
  })
})

test('what there is, and whose it is, is told to whoever asks', async () => {
  const { sobjects } = await client.describeGlobal()
  expect(sobjects.map(({ name }) => name)).toEqual(['Lead', 'Account', 'Contact'])
  const { fields } = await client.sobject('Contact').describe()
  expect(fields.map(({ name }) => name)).toContain('MailingCity')
  expect((await client.limits())['DailyApiRequests']).toMatchObject({ Max: 100_000 })
  expect((await client.identity()).organization_id).toBe('00D000000000001EAA')
})
