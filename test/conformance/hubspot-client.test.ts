/** HubSpot's own client drives the sandbox as it drives an account: objects, associations, search, batches, properties, imports. */
import { Client } from '@hubspot/api-client'
import type { HttpFile } from '@hubspot/api-client/lib/codegen/crm/imports/index.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'

const sandbox = createHubspotSandbox({ searchesPerSecondMax: 100 })
let server: RunningSandboxes
let client: Client

beforeAll(async () => {
  server = await startSandboxes([sandbox], { port: 0 })
  const { access_token: accessToken, base_url: basePath } = server.settings('hubspot')
  client = new Client({ accessToken: String(accessToken), basePath: String(basePath) })
})
beforeEach(() => sandbox.reset())
afterAll(() => server.close())

const names = ['name', 'city']
const company = (name: string, more: Record<string, string> = {}) => ({
  properties: { name, ...more },
  associations: [],
})
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('it succeeded')
    },
    (error: unknown) => error as { code: number; body: { category: string; message: string } },
  )

describe.each(['companies', 'contacts'] as const)('%s', (object) => {
  const nameOf = { companies: 'name', contacts: 'lastname' }[object]
  const api = () => client.crm[object]

  test('are created, read, listed page by page, changed and archived', async () => {
    const made = await api().basicApi.create({ properties: { [nameOf]: 'Naik' }, associations: [] })
    await api().basicApi.create({ properties: { [nameOf]: 'Kamat' }, associations: [] })
    expect((await api().basicApi.getById(made.id, [nameOf])).properties[nameOf]).toBe('Naik')
    await api().basicApi.update(made.id, { properties: { [nameOf]: 'Prabhu' } })
    const first = await api().basicApi.getPage(1, undefined, [nameOf])
    expect(first.results.map(({ properties }) => properties[nameOf])).toEqual(['Prabhu'])
    const second = await api().basicApi.getPage(1, first.paging?.next?.after, [nameOf])
    expect(second.results.map(({ properties }) => properties[nameOf])).toEqual(['Kamat'])
    expect(second.paging).toBeUndefined()
    await api().basicApi.archive(made.id)
    expect(await failureOf(api().basicApi.getById(made.id))).toMatchObject({ code: 404 })
    expect(sandbox.records()).toHaveLength(1)
  })

  test('are created, read, changed and archived in batches', async () => {
    const input = (name: string) => ({ properties: { [nameOf]: name }, associations: [] })
    const { results } = await api().batchApi.create({ inputs: [input('Naik'), input('Kamat')] })
    const ids = results.map(({ id }) => ({ id }))
    await api().batchApi.update({ inputs: ids.map(({ id }) => ({ id, properties: { [nameOf]: `${id} new` } })) })
    const read = await api().batchApi.read({ inputs: ids, properties: [nameOf], propertiesWithHistory: [] })
    expect(read.results.map(({ id, properties }) => properties[nameOf] === `${id} new`)).toEqual([true, true])
    await api().batchApi.archive({ inputs: ids })
    expect(sandbox.records()).toEqual([])
  })

  test('a batch with one bad row is refused whole without trace ids, and row by row with them', async () => {
    const inputs = [
      { properties: { [nameOf]: 'Naik' }, associations: [] },
      { properties: { [nameOf]: 'Kamat', hs_object_id: '7' }, associations: [] },
    ]
    expect(await failureOf(api().batchApi.create({ inputs }))).toMatchObject({ code: 400 })
    expect(sandbox.records()).toEqual([])
    const traced = inputs.map((each, n) => ({ ...each, objectWriteTraceId: `row-${n}` }))
    const partial = await api().batchApi.create({ inputs: traced })
    expect(partial).toMatchObject({
      results: [{ properties: { [nameOf]: 'Naik' } }],
      numErrors: 1,
      errors: [{ category: 'VALIDATION_ERROR', message: expect.stringContaining('READ_ONLY_VALUE') }],
    })
  })
})

test('a second contact of one e-mail is a conflict that names the first', async () => {
  const input = { properties: { email: 'asha@prabhu.example.com' }, associations: [] }
  const first = await client.crm.contacts.basicApi.create(input)
  const conflict = await failureOf(client.crm.contacts.basicApi.create(input))
  expect(conflict).toMatchObject({ code: 409, body: { message: `Contact already exists. Existing ID: ${first.id}` } })
})

describe('associations', () => {
  const both = async () => {
    const contact = await client.crm.contacts.basicApi.create({ properties: { lastname: 'Prabhu' }, associations: [] })
    const firm = await client.crm.companies.basicApi.create(company('Zuari Foods'))
    return [contact.id, firm.id] as const
  }
  const companiesOf = async (contact: string) => {
    const { results } = await client.crm.associations.v4.basicApi.getPage('contacts', contact, 'companies')
    return results.map(({ toObjectId }) => String(toObjectId))
  }

  test('are created one by one, with a label or without, listed, and removed', async () => {
    const [contact, firm] = await both()
    const api = client.crm.associations.v4.basicApi
    await api.createDefault('contacts', contact, 'companies', firm)
    expect(await companiesOf(contact)).toEqual([firm])
    await api.archive('contacts', contact, 'companies', firm)
    expect(await companiesOf(contact)).toEqual([])
    const label = { associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 1 }
    await api.create('contacts', contact, 'companies', firm, [label])
    expect(await companiesOf(contact)).toEqual([firm])
  })

  test('are created, read and removed in batches', async () => {
    const [contact, firm] = await both()
    const api = client.crm.associations.v4.batchApi
    const pair = { _from: { id: contact }, to: { id: firm } }
    await api.createDefault('contacts', 'companies', { inputs: [pair] })
    const read = await api.getPage('contacts', 'companies', { inputs: [{ id: contact }] })
    expect(read.results[0]?.to.map(({ toObjectId }) => String(toObjectId))).toEqual([firm])
    await api.archive('contacts', 'companies', { inputs: [{ _from: { id: contact }, to: [{ id: firm }] }] })
    expect(await companiesOf(contact)).toEqual([])
  })
})

describe('search', () => {
  const found = async (request: object) => {
    const { results } = await client.crm.companies.searchApi.doSearch({
      properties: names,
      limit: 100,
      ...request,
    } as never)
    return results.map(({ properties }) => properties['name'])
  }
  const where = (...filters: object[]) => ({ filterGroups: [{ filters }] })

  test('finds by filters, words and in order, page by page', async () => {
    const cities = { Mandovi: 'Panaji', Zuari: 'Vasco', Terekhol: 'Panaji' }
    for (const [name, city] of Object.entries(cities))
      await client.crm.companies.basicApi.create(company(name, { city }))
    const inPanaji = { propertyName: 'city', operator: 'EQ', value: 'Panaji' }
    expect(await found(where(inPanaji))).toEqual(['Mandovi', 'Terekhol'])
    expect(await found(where(inPanaji, { propertyName: 'name', operator: 'NEQ', value: 'Mandovi' }))).toEqual([
      'Terekhol',
    ])
    expect(await found(where({ propertyName: 'city', operator: 'IN', values: ['vasco'] }))).toEqual(['Zuari'])
    expect(await found(where({ propertyName: 'phone', operator: 'HAS_PROPERTY' }))).toEqual([])
    expect(await found({ query: 'zua' })).toEqual(['Zuari'])
    expect(await found({ sorts: ['-name'] })).toEqual(['Zuari', 'Terekhol', 'Mandovi'])
    const page = await client.crm.companies.searchApi.doSearch({ ...where(inPanaji), limit: 1 } as never)
    expect(page).toMatchObject({ total: 2, paging: { next: { after: '1' } } })
    expect(await found({ ...where(inPanaji), limit: 1, after: '1' })).toEqual(['Terekhol'])
  })

  test('allows five questions a second, and says so in its own words', async () => {
    const strict = await startSandboxes([createHubspotSandbox()], { port: 0 })
    const { access_token: accessToken, base_url: basePath } = strict.settings('hubspot')
    const other = new Client({ accessToken: String(accessToken), basePath: String(basePath) })
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => other.crm.companies.searchApi.doSearch({ limit: 1 } as never)),
    )
    await strict.close()
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused.length).toBeGreaterThanOrEqual(3)
    expect(refused[0]).toMatchObject({ code: 429, body: { category: 'RATE_LIMITS' } })
  })
})

describe('properties', () => {
  const definition = {
    name: 'gstin',
    label: 'GSTIN',
    type: 'string' as never,
    fieldType: 'text' as never,
    groupName: 'panji',
    hasUniqueValue: true,
  }

  test('and their groups are created, read, renamed, listed and archived', async () => {
    const { coreApi, groupsApi } = client.crm.properties
    await groupsApi.create('companies', { name: 'panji', label: 'Panji' })
    await groupsApi.update('companies', 'panji', { label: 'Panji leads' })
    expect((await groupsApi.getByName('companies', 'panji')).label).toBe('Panji leads')
    await coreApi.create('companies', definition)
    await coreApi.update('companies', 'gstin', { label: 'GST number' })
    expect(await coreApi.getByName('companies', 'gstin')).toMatchObject({ label: 'GST number', hasUniqueValue: true })
    expect((await coreApi.getAll('companies')).results.map(({ name }) => name)).toContain('gstin')
    await coreApi.archive('companies', 'gstin')
    expect(await failureOf(coreApi.getByName('companies', 'gstin'))).toMatchObject({ code: 404 })
  })

  test('that are unique find a record for an upsert, which says whether it made one', async () => {
    await client.crm.properties.groupsApi.create('companies', { name: 'panji', label: 'Panji' })
    await client.crm.properties.coreApi.create('companies', definition)
    const input = { id: '30AAACR5055K1Z7', idProperty: 'gstin', properties: { name: 'Mandovi' } }
    const upsert = async () => (await client.crm.companies.batchApi.upsert({ inputs: [input] })).results[0]
    const [first, second] = [await upsert(), await upsert()]
    expect([first?._new, second?._new]).toEqual([true, false])
    expect(second?.id).toBe(first?.id)
  })
})

describe('imports', () => {
  const columnMappings = [
    { columnObjectTypeId: '0-1', columnName: 'Name', propertyName: 'lastname' },
    { columnObjectTypeId: '0-1', columnName: 'Mail', propertyName: 'email' },
  ]
  const request = {
    name: 'Directors',
    files: [{ fileName: 'directors.csv', fileFormat: 'CSV', fileImportPage: { hasHeader: true, columnMappings } }],
  }

  test('take the good rows of a file and list what is wrong with the others, line by line', async () => {
    const text = 'Name,Mail\nPrabhu,asha@prabhu.example.com\n"Naik, Jr",no-address\nKamat,kamat@example.com\n'
    const file = { data: Buffer.from(text), name: 'directors.csv' } as unknown as HttpFile
    const { id } = await client.crm.imports.coreApi.create(file, JSON.stringify(request))
    expect(await client.crm.imports.coreApi.getById(Number(id))).toMatchObject({
      state: 'DONE',
      metadata: { counters: { TOTAL_ROWS: 3, CREATED_OBJECTS: 2, ERRORS: 1 } },
    })
    const { results } = await client.crm.imports.publicImportsApi.getErrors(Number(id))
    expect(results).toMatchObject([
      { errorType: 'INVALID_EMAIL', sourceData: { lineNumber: 3, rowData: ['Naik, Jr', 'no-address'] } },
    ])
    expect(sandbox.records().map(({ properties }) => properties['lastname'])).toEqual(['Prabhu', 'Kamat'])
  })

  test('that name no property are refused', async () => {
    const wrong = structuredClone(request)
    wrong.files[0]?.fileImportPage.columnMappings.push({ ...columnMappings[0], propertyName: 'nothing' } as never)
    const file = { data: Buffer.from('Name\nPrabhu\n'), name: 'directors.csv' } as unknown as HttpFile
    expect(await failureOf(client.crm.imports.coreApi.create(file, JSON.stringify(wrong)))).toMatchObject({ code: 400 })
  })
})
