/** Promises about answers whose rows are not those that were sent, one by one: no lead is credited with another's record. */
import { expect } from 'vitest'
import type { CrmSession, OutgoingLead, PushOutcome, RowWrite } from '../../../connectors/contract.ts'
import { gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, type World } from './world.ts'

export const answerPromises: readonly ConnectorPromise[] = [
  {
    title: 'a reply without its first row credits no lead with the record of another, and a lookup settles the rest',
    ofServers: true,
    async prove(world) {
      await twice(world, 'omit_first_row', async (session, leads, outcomes) => {
        const unknown = leads.filter((_, n) => outcomes[n]?.status === 'unknown')
        expect(unknown.length).toBeGreaterThan(0)
        const found = await session.lookup(unknown.map(({ externalId }) => externalId))
        for (const lead of unknown) expect(found.get(lead.externalId)?.crmId).toBe(world.stored(lead)[0]?.id)
      })
    },
  },
  {
    title: 'a reply whose rows are out of order tells of each lead what became of it',
    ofServers: true,
    ofNamedRows: true,
    async prove(world) {
      await twice(world, 'shuffle_rows', async (_session, _leads, outcomes) => {
        for (const { status } of outcomes) expect(acknowledged).toContain(status)
      })
    },
  },
  {
    title:
      'a push tells each row that it writes: what is sent, and what the record held before; of others it tells nothing',
    async prove(world) {
      const told: [string, RowWrite][] = []
      const session = await world.ready({ reportWrite: (id, write) => void told.push([id, write]) })
      const leads = [gstLead(1), gstLead(2)]
      const created = await session.push(leads)
      expect(told.map(([id]) => id).toSorted()).toEqual(leads.map(({ externalId }) => externalId).toSorted())
      for (const [, { before }] of told) expect(Object.values(before ?? {}).every((value) => value === null)).toBe(true)
      told.length = 0
      const [first, second] = leads.map((lead, n) => afterPush(lead, created[n]))
      if (first === undefined || second === undefined) throw new Error('two leads were pushed')
      await session.push([{ ...first, row: { ...first.row, City: 'Panaji' } }, second])
      expect(told.map(([id]) => id)).toEqual([first.externalId])
      const changed = Object.entries(told[0]?.[1].sent ?? {}).filter(([, value]) => value === 'Panaji')
      expect(changed.length).toBeGreaterThan(0)
      for (const [field] of changed) expect(told[0]?.[1].before?.[field]).toBe('North Goa')
    },
  },
]

type Check = (
  session: CrmSession,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
) => void | Promise<void>

/** Leads are created, and changed, under a fault of the answer; whatever is acknowledged is the lead's own record. */
async function twice(world: World, kind: 'omit_first_row' | 'shuffle_rows', check: Check): Promise<void> {
  const session = await world.ready()
  const match = world.subject.reportingCall ?? world.subject.writeCall
  const push = async (leads: readonly OutgoingLead[]) => {
    world.sandbox.addFault({ kind, match, times: 1 })
    const outcomes = await session.push(leads)
    // Struck, so that nothing is proven by an answer in order.
    expect(world.sandbox.faults?.() ?? []).toEqual([])
    expect(outcomes).toHaveLength(leads.length)
    leads.forEach((lead, n) => {
      const outcome = outcomes[n]
      if (outcome !== undefined && 'crmId' in outcome) expect(outcome.crmId).toBe(world.stored(lead)[0]?.id)
      else expect(outcome?.status).toBe('unknown')
    })
    await check(session, leads, outcomes)
  }
  const leads = [gstLead(1), gstLead(2), gstLead(3)]
  await push(leads)
  const settled = await session.push(leads)
  await push([1, 2, 3].map((n) => afterPush(gstLead(n, { Company: `Renamed ${n}` }), settled[n - 1])))
}
