/** Promises about lists, campaigns and tags that records join by a mapping: once, beside their own delivery, and for as long as people like. */
import { expect } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, type ConnectorUnderTest, type World } from './world.ts'

export const joinPromises: readonly ConnectorPromise[] = [
  {
    title:
      'a record that is written joins what the mapping names, by its name or its id, as a plan foresees without joining',
    ofJoins: true,
    async prove(world) {
      const { field, id, name } = joinsOf(world.subject)
      const session = await world.ready()
      const leads = [joining(world, 1, name), joining(world, 2, id)]
      const foreseen = await session.joins?.foresee(leads)
      expect(foreseen).toEqual([
        { field, value: name },
        { field, value: name },
      ])
      expect(members(world)).toEqual([])
      const outcomes = await session.push(leads)
      expect(outcomes).toEqual(leads.map(() => expect.objectContaining({ status: 'created' })))
      expect(members(world)).toEqual(idsOf(world, leads))
      expect(await session.joins?.foresee(leads.map((lead, n) => afterPush(lead, outcomes[n])))).toEqual([])
    },
  },
  {
    title: 'what a record joined once is not told again, so that whom people take out stays out',
    ofJoins: true,
    async prove(world) {
      const { id } = joinsOf(world.subject)
      const session = await world.ready()
      const leads = [joining(world, 1), joining(world, 2)]
      const outcomes = await session.push(leads)
      const [out = '', still = ''] = idsOf(world, leads)
      world.sandbox.leave?.(id, out)
      const told = calls(world)
      const again = leads.map((lead, n) => afterPush({ ...lead, row: { ...lead.row, City: 'Margao' } }, outcomes[n]))
      for (const outcome of await world.open().push(again)) expect(acknowledged).toContain(outcome.status)
      expect(members(world)).toEqual([still])
      expect(calls(world)).toBe(told)
    },
  },
  {
    title: 'a lead whose joining was not answered is delivered and pushed again, and its record is in once',
    ofJoins: true,
    async prove(world) {
      const { field, match } = joinsOf(world.subject)
      const session = await world.ready()
      const lead = joining(world, 1)
      world.sandbox.addFault({ kind: 'reset_after_commit', match, times: 1 })
      const [outcome] = await session.push([lead])
      expect(outcome).toMatchObject({ status: 'created', againAfterMs: expect.any(Number) })
      const [again] = await world.open().push([afterPush(lead, outcome)])
      expect(again).toMatchObject({ status: 'unchanged', values: { [field]: expect.any(String) } })
      expect(again).not.toHaveProperty('againAfterMs')
      expect(members(world)).toEqual(idsOf(world, [lead]))
    },
  },
  {
    title:
      'where the user may not let records join, the lead is delivered with the reason, and the test of the destination says it',
    ofJoins: true,
    async prove(world) {
      const { field, withhold } = joinsOf(world.subject)
      const session = await world.ready()
      expect(await session.joins?.missingRights([field])).toEqual([])
      withhold(world.sandbox, true)
      const lead = joining(world, 1)
      const [outcome] = await world.open().push([lead])
      expect(outcome).toMatchObject({ status: 'created', leftOut: { field, message: expect.stringMatching(/\w/) } })
      expect(await world.open().joins?.missingRights([field])).toEqual([expect.stringMatching(/What to do|Grant|Tick/)])
      expect(members(world)).toEqual([])
      expect(world.stored(lead)).toHaveLength(1)
    },
  },
]

function joinsOf({ joins }: ConnectorUnderTest): NonNullable<ConnectorUnderTest['joins']> {
  if (joins === undefined) throw new Error('records of this CRM join nothing')
  return joins
}

function joining({ subject }: World, n: number, value?: string): OutgoingLead {
  const { field, name, of } = joinsOf(subject)
  return { ...(of === 'gst' ? gstLead(n) : directorLead(n)), overrides: [{ field, value: value ?? name }] }
}

const members = ({ subject, sandbox }: World) => [...(sandbox.members?.(joinsOf(subject).id) ?? [])].sort()
const idsOf = (world: World, leads: readonly OutgoingLead[]) =>
  leads.flatMap((lead) => world.stored(lead).map(({ id }) => id)).sort()
const calls = ({ subject, sandbox }: World) => sandbox.calls().filter((call) => joinsOf(subject).isCall(call)).length
