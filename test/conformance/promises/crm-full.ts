/** Promises about a CRM whose storage, records or licences are used up: its owner must make room, and no lead is lost meanwhile. */
import { expect } from 'vitest'
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import { AppError } from '../../../src/errors.ts'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, type World } from './world.ts'

const leads: readonly OutgoingLead[] = [gstLead(1), companyLead(1), directorLead(1)]

function roomOf({ subject }: World) {
  const { noRoom } = subject
  if (noRoom === undefined) throw new Error(`nobody says how ${subject.connector.name} runs out of room`)
  return noRoom
}

/** What the engine holds the whole destination for. */
function expectHeld(ended: unknown, code: string): void {
  if (ended instanceof AppError) {
    expect(ended).toMatchObject({ code: 'CRM_LIMIT_REACHED', extra: { vendorCode: code } })
    expect(ended.retry).not.toBe('never')
    return
  }
  const told = ended as readonly PushOutcome[]
  for (const each of told) expect(each).toMatchObject({ status: 'deferred', blocks: true, code })
}

export const crmFullPromises: readonly ConnectorPromise[] = [
  {
    title:
      'a CRM without room for more records refuses no lead: each waits with the vendor’s word, and others are updated',
    ofRoom: true,
    async prove(world) {
      const { code, fill } = roomOf(world)
      const session = await world.ready()
      const [first] = await session.push([gstLead(0)])
      const makeRoom = fill(world.sandbox)
      const changed = afterPush(gstLead(0, { City: 'Mapusa' }), first)
      const [updated, ...waiting] = await session.push([changed, ...leads])
      expect(updated?.status).toBe('updated')
      expect(waiting).toHaveLength(leads.length)
      expectHeld(waiting, code)
      for (const lead of leads) expect(world.stored(lead)).toEqual([])
      makeRoom()
      for (const outcome of await session.push(leads)) expect(outcome.status).toBe('created')
      for (const lead of leads) expect(world.stored(lead)).toHaveLength(1)
    },
  },
  {
    title: 'a whole call that is refused for want of room refuses no lead, and is not sent again row by row',
    ofRoom: true,
    async prove(world) {
      const { code, refusal } = roomOf(world)
      const session = await world.ready()
      const before = world.writes().length
      world.sandbox.addFault({ kind: 'status', ...refusal, times: 1000 })
      expectHeld(await session.push(leads).catch((error: unknown) => error), code)
      expect(world.writes().length - before).toBeLessThanOrEqual(2)
      world.sandbox.endFaults?.()
      for (const lead of leads) expect(world.stored(lead)).toEqual([])
      for (const outcome of await session.push(leads)) expect(acknowledged).toContain(outcome.status)
      for (const lead of leads) expect(world.stored(lead)).toHaveLength(1)
    },
  },
]
