/** Directors and their companies: associated as soon as the account holds both, and once. */
import { Client } from '@hubspot/api-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import { afterPush, World } from './promises/world.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'
import { hubspotSubject } from './subjects.ts'

const associate = '/batch/associate/default'
let world: World
beforeEach(async () => {
  world = await World.create(hubspotSubject)
})
afterEach(() => world.close())

const company = companyLead(1, { DirectorDINs: '00010001;00010002' })
const director = directorLead(1, { CompanyCINs: `${company.row['CIN']};U99999MH2020PTC999999` })
const calls = (part: string) => world.sandbox.calls().filter(({ path }) => path.includes(part))

/** What the vendor's own client says of the record. */
async function associatedWith(lead: OutgoingLead): Promise<string[]> {
  const { access_token: accessToken, base_url: basePath } = world.settings
  const client = new Client({ accessToken: String(accessToken), basePath: String(basePath) })
  const [from, to] = lead.type === 'director' ? ['contacts', 'companies'] : ['companies', 'contacts']
  const { results } = await client.crm.associations.v4.basicApi.getPage(from, String(world.stored(lead)[0]?.id), to)
  return results.map(({ toObjectId }) => String(toObjectId))
}

test('a director and a company of one push are associated with each other, whoever is asked', async () => {
  const outcomes = await (await world.ready()).push([company, director])
  expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created'])
  expect(await associatedWith(director)).toEqual([world.stored(company)[0]?.id])
  expect(await associatedWith(company)).toEqual([world.stored(director)[0]?.id])
})

test.each([
  ['the company', company, director],
  ['the director', director, company],
])('%s may come first: the later of the two makes the association', async (_who, first, second) => {
  const session = await world.ready()
  await session.push([first])
  expect(calls(associate)).toEqual([])
  await session.push([second])
  expect(await associatedWith(director)).toEqual([world.stored(company)[0]?.id])
})

test('what is associated and did not change costs no further call', async () => {
  const session = await world.ready()
  const [one, two] = await session.push([company, director])
  const before = calls(associate).length
  const again = [afterPush(company, one), afterPush(director, two)]
  expect((await session.push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
  await session.push([gstLead(1)])
  expect(calls(associate)).toHaveLength(before)
})

test.each([
  ['reset', {}],
  ['daily_limit', {}],
  ['status', { status: 502 }],
] as const)(
  'an association that fails by %s leaves its leads unknown, and the next push makes it',
  async (kind, more) => {
    const session = await world.ready()
    world.sandbox.addFault({ kind, ...more, match: associate, times: 1 })
    const outcomes = await session.push([company, director, gstLead(1)])
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'created'])
    const again = await world.open().push([company, director])
    expect(again.map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
    expect(await associatedWith(director)).toEqual([world.stored(company)[0]?.id])
  },
)

test('an association that HubSpot refuses for good does not hold the records back', async () => {
  const session = await world.ready()
  const body = { status: 'error', category: 'VALIDATION_ERROR', message: 'too many associations' }
  world.sandbox.addFault({ kind: 'status', status: 400, body, match: associate, times: 1 })
  const outcomes = await session.push([company, director])
  expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created'])
})
