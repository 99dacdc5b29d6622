/** Promises about records that people deleted or merged in the CRM: what they did stands, and the lead says what became of it. */
import { expect } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { directorLead } from '../sample-leads.ts'
import { afterPush, type ConnectorPromise, type World } from './world.ts'

const inTown = { City: 'Vasco da Gama' }

export const fatePromises: readonly ConnectorPromise[] = [
  {
    title:
      'a record that somebody deleted stays deleted: its lead is rejected with the reason, which a plan says before',
    ofAdoption: true,
    async prove(world) {
      const [lead] = await delivered(world, 1)
      world.sandbox.remove?.(String(lead.crmId))
      const writes = world.writes().length
      const session = world.open()
      expect(await session.plan([lead])).toEqual([
        { action: 'conflict', reason: expect.stringContaining(String(lead.crmId)), isFate: true },
      ])
      expect(await session.push([lead])).toEqual([
        {
          ...{ status: 'rejected', code: 'DELETED', field: null, isFate: true },
          message: expect.stringContaining(String(lead.crmId)),
        },
      ])
      expect(world.writes()).toHaveLength(writes)
      expect(world.stored(lead)).toEqual([])
    },
  },
  {
    title: 'what was deleted is made anew, once, where the settings say recreate or a person asks for the lead again',
    ofAdoption: true,
    async prove(world) {
      const [first, second] = await delivered(world, 1, 2)
      for (const { crmId } of [first, second]) world.sandbox.remove?.(String(crmId))
      const attempts = [
        { session: world.open({ over: { on_deleted: 'recreate' } }), lead: first },
        { session: world.open(), lead: { ...second, recreate: true } },
      ]
      for (const { session, lead } of attempts) {
        expect(await session.plan([lead])).toMatchObject([{ action: 'create', again: true }])
        const [outcome] = await session.push([lead])
        expect(outcome).toMatchObject({ status: 'created' })
        expect(world.stored(lead)).toHaveLength(1)
        expect(await world.open().push([afterPush(lead, outcome)])).toMatchObject([{ status: 'unchanged' }])
        expect(world.stored(lead)).toHaveLength(1)
      }
    },
  },
  {
    title: 'a record that was merged into one of the customer’s is followed there: the winner takes what is new',
    ofAdoption: true,
    async prove(world) {
      const [lead, other] = await delivered(world, 1, 2)
      world.edit(String(other.crmId), world.subject.adoption?.identity ?? '', '')
      const winner = world.sandbox.merge?.(String(lead.crmId), String(other.crmId))
      const count = world.sandbox.records().length
      const [outcome] = await world.open({ over: { ownership: {} } }).push([lead])
      expect(outcome).toMatchObject({ crmId: winner })
      expect(world.stored(lead).map(({ id }) => id)).toEqual([winner])
      expect(world.sandbox.records()).toHaveLength(count)
    },
  },
  {
    title:
      'a record that was merged into another lead’s is not written: its lead is rejected, and the other’s stays as it is',
    ofAdoption: true,
    async prove(world) {
      const [lead, other] = await delivered(world, 1, 2)
      world.sandbox.merge?.(String(lead.crmId), String(other.crmId))
      const before = structuredClone(world.sandbox.records())
      const [outcome] = await world.open().push([lead])
      expect(outcome).toMatchObject({ status: 'rejected', code: expect.stringMatching(/^(MERGED|DELETED)$/) })
      expect(world.sandbox.records()).toEqual(before)
    },
  },
]

/** Leads that the CRM has, as the engine hands them over once they moved into another town. */
async function delivered(
  world: World,
  ...numbers: readonly [number, ...number[]]
): Promise<[OutgoingLead, OutgoingLead]> {
  const outcomes = await (await world.ready()).push(numbers.map((n) => directorLead(n)))
  const [first, second] = numbers.map((n, index) => afterPush(directorLead(n, inTown), outcomes[index]))
  return [first as OutgoingLead, second as OutgoingLead]
}
