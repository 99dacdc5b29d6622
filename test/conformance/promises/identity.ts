/** Promises about records that lost their identity in the CRM: known by the CRM's own id, they get it back, and stay the only ones. */
import { expect } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { afterPush, type ConnectorPromise, type World } from './world.ts'

const leads = [gstLead(1), companyLead(1), directorLead(1)]
const inTown = { City: 'Vasco da Gama' }
const movedLeads = [gstLead(1, inTown), companyLead(1, inTown), directorLead(1, inTown)]

export const identityPromises: readonly ConnectorPromise[] = [
  {
    title: 'a known record whose identity somebody emptied gets it back with what is new: there is no second record',
    ofAdoption: true,
    async prove(world) {
      const moved = await delivered(world)
      const before = idsOf(world)
      for (const { id } of world.sandbox.records()) world.edit(id, identityOf(world), '')
      const outcomes = await world.open().push(moved)
      expect(outcomes.map(({ status }) => status)).toEqual(['updated', 'updated', 'updated'])
      expectOnly(world, moved, before)
    },
  },
  {
    title:
      'known leads outlive the field of their identity: set up anew they are updated, at one more read for each at most',
    ofAdoption: true,
    async prove(world) {
      const moved = await delivered(world)
      const before = idsOf(world)
      const reads = () => world.sandbox.calls().filter((call) => world.subject.isRead(call)).length
      const [atFirst] = [reads(), await world.open().push(moved.map(asBefore))]
      const ordinary = reads() - atFirst
      dropIdentity(world)
      const session = await world.ready()
      const from = reads()
      expect((await session.push(moved)).map(({ status }) => status)).toEqual(['updated', 'updated', 'updated'])
      expect(reads() - from).toBeLessThanOrEqual(2 * ordinary)
      expectOnly(world, moved, before)
    },
  },
  {
    title:
      'a plan says of known records that they get their identity back, whether its field is there or not, and writes nothing',
    ofAdoption: true,
    async prove(world) {
      const moved = await delivered(world)
      dropIdentity(world)
      for (const session of [world.open(), await world.ready()]) {
        const writes = world.writes().length
        const held = structuredClone(world.sandbox.records())
        for (const [n, planned] of (await session.plan(moved)).entries()) {
          expect(planned.action).toBe('update')
          const changes = planned.action === 'update' ? planned.changes : []
          const { externalId } = moved[n] as OutgoingLead
          expect(changes).toContainEqual({ field: expect.stringMatching(/panji_id/i), before: null, after: externalId })
        }
        expect(world.writes()).toHaveLength(writes)
        expect(world.sandbox.records()).toEqual(held)
      }
    },
  },
]

/** Leads that the CRM has, as the engine hands them over once they moved into another town. */
async function delivered(world: World): Promise<readonly OutgoingLead[]> {
  const outcomes = await (await world.ready()).push(leads)
  return movedLeads.map((lead, n) => afterPush(lead, outcomes[n]))
}

const asBefore = (lead: OutgoingLead, n: number): OutgoingLead => ({ ...lead, row: leads[n]?.row ?? lead.row })

const identityOf = ({ subject }: World): string => subject.adoption?.identity ?? ''

function dropIdentity(world: World): void {
  if (world.sandbox.dropField === undefined) throw new Error('the sandbox drops no field')
  world.sandbox.dropField(identityOf(world))
  expect(world.sandbox.records().flatMap(({ properties }) => properties[identityOf(world)] ?? [])).toEqual([])
}

const idsOf = (world: World) => world.sandbox.records().map(({ id }) => id)

function expectOnly(world: World, moved: readonly OutgoingLead[], before: readonly string[]): void {
  expect(idsOf(world)).toEqual(before)
  for (const lead of moved) {
    expect(world.stored(lead).map(({ id }) => id)).toEqual([lead.crmId])
    expect(JSON.stringify(world.stored(lead))).toContain('Vasco da Gama')
  }
}
