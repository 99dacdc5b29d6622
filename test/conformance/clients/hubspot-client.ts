/** What people call of `@hubspot/api-client`, HubSpot's client for Node: records, batches, search, associations, properties, imports. */
import type { Client } from '@hubspot/api-client'
import type { HttpFile } from '@hubspot/api-client/lib/codegen/crm/imports/index.js'
import { expect } from 'vitest'
import type { CallElsewhere, ClientCall } from './client-call.ts'

type Call = ClientCall<Client>
type Elsewhere = CallElsewhere<Client>

const some = (of: object) => expect.objectContaining(of)
const among = (...rows: readonly unknown[]) => expect.arrayContaining([...rows])
const id = expect.stringMatching(/^\d+$/)

let made = 0
const named = (more: Record<string, string> = {}) => {
  made += 1
  return { properties: { name: `Mandovi ${made}`, ...more }, associations: [] }
}
const person = () => {
  made += 1
  return { properties: { lastname: 'Naik', email: `naik${made}@mandovi.example.com` }, associations: [] }
}
const companyId = async ({ crm }: Client) => (await crm.companies.basicApi.create(named({ city: 'Panaji' }))).id
const contactId = async ({ crm }: Client) => (await crm.contacts.basicApi.create(person())).id
const group = async ({ crm }: Client) => {
  const name = `group_${++made}`
  await crm.properties.groupsApi.create('companies', { name, label: 'Group' })
  return name
}
const property = async (client: Client, hasUniqueValue = false) => {
  const name = `property_${++made}`
  const kinds = { type: 'string' as never, fieldType: 'text' as never, groupName: await group(client) }
  await client.crm.properties.coreApi.create('companies', { name, label: 'Property', ...kinds, hasUniqueValue })
  return name
}
const saved = some({ status: 'COMPLETE', results: [some({ id })] })

const records: readonly Call[] = [
  { name: 'companies.basicApi.create', run: ({ crm }) => crm.companies.basicApi.create(named()), gives: some({ id }) },
  {
    name: 'companies.basicApi.getById',
    run: async (client) => client.crm.companies.basicApi.getById(await companyId(client), ['city']),
    gives: some({ properties: some({ city: 'Panaji' }), archived: false }),
  },
  {
    name: 'companies.basicApi.getById with what it is associated with',
    run: async (client) => {
      const [firm, contact] = [await companyId(client), await contactId(client)]
      await client.crm.associations.v4.basicApi.createDefault('contacts', contact, 'companies', firm)
      const read = client.crm.companies.basicApi.getById(firm, ['name'], undefined, ['contacts'])
      return (await read).associations?.['contacts']?.results.map((each) => each.id === contact)
    },
    gives: [true],
  },
  {
    name: 'companies.basicApi.update',
    run: async (client) =>
      client.crm.companies.basicApi.update(await companyId(client), { properties: { city: 'Ponda' } }),
    gives: some({ properties: some({ city: 'Ponda' }) }),
  },
  {
    name: 'companies.basicApi.archive',
    run: async (client) => client.crm.companies.basicApi.archive(await companyId(client)),
    gives: undefined,
  },
  {
    name: 'companies.basicApi.getPage',
    run: async (client) => {
      await companyId(client)
      return client.crm.companies.basicApi.getPage(1)
    },
    gives: some({ results: [some({ id })] }),
  },
  {
    name: 'companies.getAll',
    run: async (client) => {
      const own = await companyId(client)
      return (await client.crm.companies.getAll(100)).some((each) => each.id === own)
    },
    gives: true,
  },
  {
    name: 'apiRequest that merges two companies',
    run: async (client) => {
      const [primaryObjectId, objectIdToMerge] = [await companyId(client), await companyId(client)]
      const body = { primaryObjectId, objectIdToMerge }
      const path = '/crm/v3/objects/companies/merge'
      const merged = (await (await client.apiRequest({ method: 'POST', path, body })).json()) as { readonly id: string }
      return (await client.crm.companies.basicApi.getById(objectIdToMerge)).id === merged.id
    },
    gives: true,
  },
  { name: 'contacts.basicApi.create', run: ({ crm }) => crm.contacts.basicApi.create(person()), gives: some({ id }) },
  {
    name: 'contacts.basicApi.create of an e-mail that is there',
    run: async ({ crm }) => {
      const one = person()
      await crm.contacts.basicApi.create(one)
      return failureOf(crm.contacts.basicApi.create(one))
    },
    gives: { code: 409, category: 'CONFLICT' },
  },
  {
    name: 'contacts.basicApi.create of an address that is none',
    run: ({ crm }) => failureOf(crm.contacts.basicApi.create({ properties: { email: 'none' }, associations: [] })),
    gives: { code: 400, category: 'VALIDATION_ERROR' },
  },
  {
    name: 'contacts.basicApi.getById by e-mail',
    run: async ({ crm }) => {
      const one = person()
      await crm.contacts.basicApi.create(one)
      return crm.contacts.basicApi.getById(one.properties.email, ['lastname'], undefined, undefined, false, 'email')
    },
    gives: some({ properties: some({ lastname: 'Naik' }) }),
  },
  {
    name: 'apiRequest that deletes a contact for good',
    run: async (client) => {
      const body = { objectId: await contactId(client) }
      return (await client.apiRequest({ method: 'POST', path: '/crm/v3/objects/contacts/gdpr-delete', body })).status
    },
    gives: 204,
  },
  {
    name: 'objects.basicApi.create of a company by its type',
    run: ({ crm }) => crm.objects.basicApi.create('companies', named()),
    gives: some({ id }),
  },
]

const batches: readonly Call[] = [
  {
    name: 'companies.batchApi.create',
    run: ({ crm }) => crm.companies.batchApi.create({ inputs: [named()] }),
    gives: saved,
  },
  {
    name: 'companies.batchApi.read',
    run: async (client) => {
      const inputs = [{ id: await companyId(client) }]
      return client.crm.companies.batchApi.read({ inputs, properties: ['city'], propertiesWithHistory: [] })
    },
    gives: some({ results: [some({ properties: some({ city: 'Panaji' }) })] }),
  },
  {
    name: 'companies.batchApi.read of an id that is none',
    run: async ({ crm }) => {
      const inputs = [{ id: '999999999' }]
      return crm.companies.batchApi.read({ inputs, properties: ['city'], propertiesWithHistory: [] })
    },
    gives: some({ results: [], numErrors: 1, errors: [some({ category: 'OBJECT_NOT_FOUND' })] }),
  },
  {
    name: 'companies.batchApi.update',
    run: async (client) => {
      const inputs = [{ id: await companyId(client), properties: { city: 'Ponda' } }]
      return client.crm.companies.batchApi.update({ inputs })
    },
    gives: saved,
  },
  {
    name: 'companies.batchApi.upsert',
    run: async (client) => {
      const idProperty = await property(client, true)
      return client.crm.companies.batchApi.upsert({ inputs: [{ id: 'a', idProperty, properties: { name: 'Zuari' } }] })
    },
    gives: some({ results: [some({ _new: true })] }),
  },
  {
    name: 'contacts.batchApi.upsert by e-mail',
    run: ({ crm }) => {
      const { email, lastname } = person().properties
      return crm.contacts.batchApi.upsert({ inputs: [{ id: email, idProperty: 'email', properties: { lastname } }] })
    },
    gives: some({ results: [some({ _new: true })] }),
  },
  {
    name: 'companies.batchApi.archive',
    run: async (client) => client.crm.companies.batchApi.archive({ inputs: [{ id: await companyId(client) }] }),
    gives: undefined,
  },
  {
    name: 'companies.searchApi.doSearch',
    run: async (client) => {
      const city = `Vasco ${made}`
      await client.crm.companies.basicApi.create(named({ city }))
      const filters = [{ propertyName: 'city', operator: 'EQ' as never, value: city }]
      return client.crm.companies.searchApi.doSearch({
        filterGroups: [{ filters }],
        properties: ['city'],
        limit: 5,
      } as never)
    },
    gives: some({ total: 1, results: [some({ id })] }),
  },
]

const links: readonly Call[] = [
  {
    name: 'associations.v4.basicApi.createDefault and getPage',
    run: async (client) => {
      const [firm, contact] = [await companyId(client), await contactId(client)]
      await client.crm.associations.v4.basicApi.createDefault('contacts', contact, 'companies', firm)
      return (await client.crm.associations.v4.basicApi.getPage('contacts', contact, 'companies')).results.length
    },
    gives: 1,
  },
  {
    name: 'associations.v4.batchApi.createDefault',
    run: async (client) => {
      const pair = { _from: { id: await contactId(client) }, to: { id: await companyId(client) } }
      return client.crm.associations.v4.batchApi.createDefault('contacts', 'companies', { inputs: [pair] })
    },
    gives: some({ status: 'COMPLETE' }),
  },
  {
    name: 'associations.v4.schema.definitionsApi.getAll',
    run: async ({ crm }) => (await crm.associations.v4.schema.definitionsApi.getAll('contacts', 'companies')).results,
    gives: among(some({ typeId: 279 }), some({ typeId: 1, label: 'Primary' })),
  },
]

const properties: readonly Call[] = [
  {
    name: 'properties.groupsApi.create and getAll',
    run: async (client) => {
      const name = await group(client)
      return (await client.crm.properties.groupsApi.getAll('companies')).results.some((each) => each.name === name)
    },
    gives: true,
  },
  {
    name: 'properties.coreApi.create and getByName',
    run: async (client) => client.crm.properties.coreApi.getByName('companies', await property(client, true)),
    gives: some({ hasUniqueValue: true, type: 'string' }),
  },
  {
    name: 'properties.coreApi.getAll',
    run: ({ crm }) => crm.properties.coreApi.getAll('contacts'),
    gives: some({ results: among(some({ name: 'email' })) }),
  },
  {
    name: 'properties.coreApi.update',
    run: async (client) =>
      client.crm.properties.coreApi.update('companies', await property(client), { label: 'Other' }),
    gives: some({ label: 'Other' }),
  },
  {
    name: 'properties.coreApi.archive',
    run: async (client) => client.crm.properties.coreApi.archive('companies', await property(client)),
    gives: undefined,
  },
  {
    name: 'properties.batchApi.create',
    run: async (client) => {
      const kinds = { type: 'string' as never, fieldType: 'text' as never, groupName: await group(client) }
      const inputs = [{ name: `batch_${++made}`, label: 'Batch', ...kinds }]
      return client.crm.properties.batchApi.create('companies', { inputs })
    },
    gives: some({ results: [some({ label: 'Batch' })] }),
  },
  {
    name: 'properties.batchApi.read',
    run: ({ crm }) =>
      crm.properties.batchApi.read('contacts', { archived: false, inputs: [{ name: 'email' }] } as never),
    gives: some({ results: [some({ name: 'email' })] }),
  },
]

const told: readonly Call[] = [
  {
    name: 'owners.ownersApi.getPage',
    run: ({ crm }) => crm.owners.ownersApi.getPage(undefined, undefined, 1),
    gives: some({
      results: [some({ email: 'asha@sandbox.example.com' })],
      paging: some({ next: some({ after: '1' }) }),
    }),
  },
  {
    name: 'owners.ownersApi.getPage by e-mail',
    run: async ({ crm }) => (await crm.owners.ownersApi.getPage('ravi@sandbox.example.com')).results.length,
    gives: 1,
  },
  {
    name: 'companies.basicApi.create with an owner who is none',
    run: ({ crm }) => failureOf(crm.companies.basicApi.create(named({ hubspot_owner_id: '1' }))),
    gives: { code: 400, category: 'VALIDATION_ERROR' },
  },
  {
    name: 'imports.coreApi.create',
    run: ({ crm }) => {
      const columnMappings = [{ columnObjectTypeId: '0-1', columnName: 'Name', propertyName: 'lastname' }]
      const files = [{ fileName: 'a.csv', fileFormat: 'CSV', fileImportPage: { hasHeader: true, columnMappings } }]
      const file = { data: Buffer.from('Name\nKamat\n'), name: 'a.csv' } as unknown as HttpFile
      return crm.imports.coreApi.create(file, JSON.stringify({ name: 'Directors', files }))
    },
    gives: some({ id }),
  },
  {
    name: 'lists.listsApi.doSearch',
    run: ({ crm }) => crm.lists.listsApi.doSearch({ query: 'Goa', count: 10, offset: 0 }),
    gives: some({ lists: among(some({ listId: '21', processingType: 'MANUAL' })), hasMore: false }),
  },
  {
    name: 'lists.membershipsApi.add',
    run: async (client) => {
      const firm = await companyId(client)
      const told = await client.crm.lists.membershipsApi.add('21', [firm, '999'])
      return [told.recordsIdsAdded.includes(firm), told.recordIdsMissing]
    },
    gives: [true, ['999']],
  },
  {
    name: 'apiRequest of the account',
    run: async (client) => (await client.apiRequest({ method: 'GET', path: '/account-info/v3/details' })).json(),
    gives: some({ portalId: 24_680_135, timeZone: 'Asia/Kolkata' }),
  },
  {
    name: 'apiRequest of the calls of the day',
    run: async (client) =>
      (await client.apiRequest({ method: 'GET', path: '/account-info/v3/api-usage/daily/private-apps' })).json(),
    gives: { results: [some({ usageLimit: 250_000 })] },
  },
]

export const hubspotCalls: readonly Call[] = [...records, ...batches, ...links, ...properties, ...told]

/** Of the parts of HubSpot that no connector calls. */
export const hubspotElsewhere: readonly Elsewhere[] = [
  { name: 'deals.basicApi.create', run: ({ crm }) => crm.deals.basicApi.create(named()) },
  { name: 'tickets.basicApi.getPage', run: ({ crm }) => crm.tickets.basicApi.getPage() },
  { name: 'objects.leads.basicApi.getPage', run: ({ crm }) => crm.objects.basicApi.getPage('leads') },
  { name: 'objects.notes.basicApi.create', run: ({ crm }) => crm.objects.notes.basicApi.create(named()) },
  { name: 'pipelines.pipelinesApi.getAll', run: ({ crm }) => crm.pipelines.pipelinesApi.getAll('deals') },
  { name: 'lists.listsApi.getAll', run: ({ crm }) => crm.lists.listsApi.getAll() },
  { name: 'schemas.coreApi.getAll', run: ({ crm }) => crm.schemas.coreApi.getAll() },
  { name: 'settings.users.usersApi.getPage', run: ({ settings }) => settings.users.usersApi.getPage() },
  { name: 'products.basicApi.getPage', run: ({ crm }) => crm.products.basicApi.getPage() },
  {
    name: 'apiRequest of the quota of properties',
    run: (client) =>
      client.apiRequest({ method: 'GET', path: '/crm/limits/2026-03/custom-properties' }).then(refusedBy),
  },
]

/** What is asked for by its path is not thrown. */
const refusedBy = async (reply: { readonly ok: boolean; text(): Promise<string> }): Promise<void> => {
  if (!reply.ok) throw new Error(await reply.text())
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it succeeded',
    ({ code, body }: { readonly code: number; readonly body: { readonly category: string } }) => ({
      code,
      category: body.category,
    }),
  )
