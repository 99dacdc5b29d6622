/** Promises about records that the customer had before Panji: named by a plan, taken with consent alone, and left theirs. */
import { expect } from 'vitest'
import type { Adoption, CrmSession, OutgoingLead } from '../../../connectors/contract.ts'
import { directorLead } from '../sample-leads.ts'
import { acknowledged, type ConnectorPromise, type World } from './world.ts'

const email = 'asha@prabhu.example.com'
const lead = (n: number, cells: Readonly<Record<string, string | null>> = {}): OutgoingLead =>
  directorLead(n, { Email: email, ...cells })

export const adoptionPromises: readonly ConnectorPromise[] = [
  {
    title:
      'a record that the customer had before is named for its lead, with what would change, and nothing is written',
    ofAdoption: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      const { id, name, city } = await foreign(world, session)
      const writes = world.writes().length
      const match = (await adoption.match([lead(1), directorLead(2)])).get(lead(1).externalId)
      expect(match).toMatchObject({ is: 'one', crmId: id })
      const changed = match?.is === 'one' ? match.changes.map(({ field }) => field.split('.').at(-1)) : []
      expect(changed).toContain(city)
      expect(changed).not.toContain(name)
      expect(await session.plan([lead(1)])).toEqual([{ action: 'create' }])
      expect(world.writes()).toHaveLength(writes)
      expect(world.stored(lead(1))).toEqual([])
    },
  },
  {
    title: 'without consent a push makes a record of its own and leaves the customer’s as it is',
    ofAdoption: true,
    async prove(world) {
      const { session } = await matching(world)
      const { id } = await foreign(world, session)
      const before = propertiesOf(world, id)
      const [outcome] = await session.push([lead(1)])
      expect(outcome?.status).toBe('created')
      expect(world.stored(lead(1)).map((record) => record.id)).not.toContain(id)
      expect(propertiesOf(world, id)).toEqual(before)
    },
  },
  {
    title: 'a record that stands for a lead is nobody else’s: it is not matched, and a claim leaves it alone',
    ofAdoption: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      await session.push([lead(2)])
      expect([...(await adoption.match([lead(1)])).keys()]).toEqual([])
      const [held] = structuredClone(world.stored(lead(2)))
      const refused = await adoption.claim([{ externalId: lead(1).externalId, crmId: String(held?.id) }])
      expect(refused.get(lead(1).externalId)?.reason).toMatch(/./)
      expect(world.stored(lead(2))).toEqual([held])
      expect(world.stored(lead(1))).toEqual([])
    },
  },
  {
    title: 'a claim gives the record the identity of its lead and changes nothing else, and can be repeated',
    ofAdoption: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      const { id } = await foreign(world, session)
      const before = propertiesOf(world, id)
      const claims = [{ externalId: lead(1).externalId, crmId: id }]
      expect([...(await adoption.claim(claims))]).toEqual([])
      expect(world.stored(lead(1)).map((record) => record.id)).toEqual([id])
      const identity = identityOf(world)
      expect({ ...propertiesOf(world, id), [identity]: null }).toEqual({ ...before, [identity]: null })
      const writes = world.writes().length
      expect([...(await adoption.claim(claims))]).toEqual([])
      expect(world.writes()).toHaveLength(writes)
    },
  },
  {
    title: 'what the customer wrote into an adopted record stays, and what was empty is filled',
    ofAdoption: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      const { id, name, city } = await foreign(world, session)
      await adoption.claim([{ externalId: lead(1).externalId, crmId: id }])
      const [outcome] = await session.push([lead(1)])
      expect(acknowledged).toContain(outcome?.status)
      expect(world.stored(lead(1)).map((record) => record.id)).toEqual([id])
      expect(world.heldIn(lead(1), name)).toBe('Prabhu, as we know her')
      expect(world.heldIn(lead(1), city)).toBe('Panaji')
    },
  },
  {
    title: 'a lead that has a record claims no other',
    ofAdoption: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      const { id } = await foreign(world, session)
      await session.push([lead(1)])
      const before = propertiesOf(world, id)
      const refused = await adoption.claim([{ externalId: lead(1).externalId, crmId: id }])
      expect(refused.get(lead(1).externalId)?.reason).toMatch(/./)
      expect(propertiesOf(world, id)).toEqual(before)
      expect(world.stored(lead(1))).toHaveLength(1)
    },
  },
  {
    title: 'of several records that agree none is taken',
    ofAdoption: true,
    ofLooseMatches: true,
    async prove(world) {
      const { session, adoption } = await matching(world)
      const first = await foreign(world, session)
      const second = await foreign(world, session)
      const match = (await adoption.match([lead(1)])).get(lead(1).externalId)
      expect(match).toMatchObject({ is: 'unclear', reason: expect.stringContaining(first.id) })
      expect(match).toMatchObject({ reason: expect.stringContaining(second.id) })
    },
  },
]

async function matching(world: World): Promise<{ readonly session: CrmSession; readonly adoption: Adoption }> {
  const { adoption: of } = world.subject
  if (of === undefined) throw new Error('the connector adopts nothing')
  const session = await world.ready({ over: of.over })
  if (session.adoption === undefined) throw new Error('the settings name fields, and the session adopts nothing')
  return { session, adoption: session.adoption }
}

const identityOf = ({ subject }: World): string => subject.adoption?.identity ?? ''

const propertiesOf = (world: World, id: string) =>
  structuredClone(world.sandbox.records().find((record) => record.id === id)?.properties ?? {})

/** A record of a person that nobody of Panji made: it has no identity, a name of its own, and no town. */
async function foreign(
  world: World,
  session: CrmSession,
): Promise<{ readonly id: string; readonly name: string; readonly city: string }> {
  await session.push([lead(1)])
  const { id, field: name } = world.fieldHolding(lead(1), 'Prabhu')
  const { field: city } = world.fieldHolding(lead(1), 'Panaji')
  world.edit(id, name, 'Prabhu, as we know her')
  world.edit(id, city, '')
  world.edit(id, identityOf(world), '')
  return { id, name, city }
}
