/** Promises about leads that become two records each: a company, and the person who is known there. */
import { expect } from 'vitest'
import type { Sandbox, SandboxRecord } from '../../../sandboxes/contract.ts'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, World } from './world.ts'

export const companionPromises: readonly ConnectorPromise[] = [
  {
    title: 'a lead that is two records is acknowledged once both are there, and pushed again it makes neither anew',
    ofCompanions: true,
    async prove(world) {
      const session = await world.ready()
      const leads = [companyLead(1), gstLead(2)]
      const first = await session.push(leads)
      expect(first.map(({ status }) => status)).toEqual(['created', 'created'])
      for (const again of [leads, leads.map((lead, n) => afterPush(lead, first[n]))]) {
        for (const lead of leads) {
          expect(world.stored(lead)).toHaveLength(1)
          expect(besides(world, world.stored(lead))).toHaveLength(1)
        }
        expect((await session.push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
      }
      expect(world.sandbox.records()).toHaveLength(4)
    },
  },
  {
    title: 'a lead of whose two records one is refused leaves neither behind, and fixed it makes one of each',
    ofCompanions: true,
    prove: (world) =>
      onAnother(world, async (other) => {
        const session = await other.ready()
        const email = 'held@zuari-foods.example.com'
        await session.push([directorLead(5, { Email: email })])
        const [refused, fine] = await session.push([companyLead(1, { Email: email }), companyLead(2)])
        expect(refused?.status).toBe('rejected')
        expect(fine?.status).toBe('created')
        expect(other.stored(companyLead(1))).toEqual([])
        expect(other.sandbox.records()).toHaveLength(3)
        const fixed = companyLead(1, { Email: 'fixed@zuari-foods.example.com' })
        expect((await session.push([fixed]))[0]?.status).toBe('created')
        expect(other.stored(fixed)).toHaveLength(1)
        expect(besides(other, other.stored(fixed))).toHaveLength(1)
      }),
  },
  {
    title:
      'what people changed in the second record of a lead stays, and what they left unchanged follows the register',
    ofCompanions: true,
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1, { Mobile: '+919822000001' })])
      const [person] = besides(world, world.stored(companyLead(1)))
      if (person === undefined) throw new Error('there is no second record')
      const [name, mobile] = ['Kamat 1', '+919822000001'].map((value) => fieldHolding(person, value))
      world.edit(person.id, String(name), 'Kamat, as we know him')
      const newer = companyLead(1, { Last_Name: 'Kamath', Mobile: '+919822000002' })
      const [second] = await session.push([afterPush(newer, first)])
      expect(acknowledged).toContain(second?.status)
      const [held] = besides(world, world.stored(newer))
      expect(held?.properties).toMatchObject({
        [String(name)]: 'Kamat, as we know him',
        [String(mobile)]: '+919822000002',
      })
    },
  },
]

/** Records that hang on these. */
function besides({ sandbox, subject }: World, mains: readonly SandboxRecord[]): readonly SandboxRecord[] {
  return mains.flatMap((main) => sandbox.records().filter((record) => subject.companions?.hangsOn(record, main)))
}

function fieldHolding({ properties }: SandboxRecord, value: string): string {
  const found = Object.entries(properties).find(([, held]) => held === value)
  if (found === undefined) throw new Error(`no field of the second record holds ${value}`)
  return found[0]
}

async function onAnother(world: World, work: (other: World) => Promise<void>): Promise<void> {
  const sandbox: Sandbox | undefined = world.subject.companions?.createJealous()
  if (sandbox === undefined) throw new Error('the subject has no such sandbox')
  const other = await World.create(world.subject, sandbox)
  try {
    await work(other)
  } finally {
    await other.close()
  }
}
