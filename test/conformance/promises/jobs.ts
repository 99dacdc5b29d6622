/** Promises about leads that go as one job of the CRM, which outlives the push that began it. */
import { expect } from 'vitest'
import type { PushPlace } from '../../../connectors/bulk-way.ts'
import type { CallGate } from '../../../connectors/call-gate.ts'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { type JobLog, placeFor } from '../as-jobs.ts'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, type ConnectorPromise, openGate, World } from './world.ts'

const several = (): OutgoingLead[] => [
  ...Array.from({ length: 8 }, (_, n) => gstLead(n)),
  companyLead(1),
  directorLead(1),
]

/** What lasts when a process ends, and a place for each process. */
function memory() {
  const log: JobLog = { kept: new Map() }
  return {
    log,
    place: (wait?: PushPlace['wait']) => placeFor(log, 'these leads', wait),
    isKept: () => log.kept.size > 0,
  }
}

async function onAnother<T>(
  world: World,
  sandbox: Sandbox | undefined,
  work: (other: World) => Promise<T>,
): Promise<T> {
  if (sandbox === undefined) throw new Error('the subject has no such sandbox')
  const other = await World.create(world.subject, sandbox)
  try {
    return await work(other)
  } finally {
    await other.close()
  }
}

export const jobPromises: readonly ConnectorPromise[] = [
  {
    title: 'what a job needs to be found again is kept before the first lead leaves',
    ofJobs: true,
    async prove(world) {
      const session = await world.ready()
      const { place } = memory()
      const uploads: number[] = []
      const real = place()
      const keep: PushPlace['keep'] = async (value) => {
        uploads.push(world.writes().length)
        await real.keep(value)
      }
      const writesBefore = world.writes().length
      await session.push(several(), { ...real, keep })
      expect(uploads[0]).toBe(writesBefore)
      expect(world.writes().length).toBeGreaterThan(writesBefore)
    },
  },
  {
    title: 'a job that is under way when its process ends is gone on with: each lead is answered, none is sent twice',
    ofJobs: true,
    async prove(world) {
      const leads = several()
      const { place } = memory()
      const died = new Error('the process died')
      const dying = (await world.ready()).push(
        leads,
        place(() => Promise.reject(died)),
      )
      await expect(dying).rejects.toThrow(died)
      const writesBefore = world.writes().length
      const outcomes = await world.open().push(leads, place())
      expect(outcomes.map(({ status }) => status)).toEqual(leads.map(() => 'created'))
      for (const [n, lead] of leads.entries()) expect(outcomes[n]).toMatchObject({ crmId: world.stored(lead)[0]?.id })
      expect(world.writes()).toHaveLength(writesBefore)
    },
  },
  {
    title: 'at whichever call a job’s process ends, the next one leaves one record per lead and answers each',
    ofJobs: true,
    async prove(world) {
      const leads = several()
      for (let calls = 0; ; calls += 1) {
        await world.open().setup()
        const { place, isKept } = memory()
        const controller = new AbortController()
        let left = calls
        const gate: CallGate = { ...openGate, take: async () => void (left-- > 0 || controller.abort()) }
        const ended = await world
          .open({ gate, signal: controller.signal })
          .push(leads, place())
          .catch(() => null)
        if (!isKept() && ended === null) expect(world.sandbox.records()).toEqual([])
        let outcomes = await world.open().push(leads, place())
        // Unknown is an answer, too; the engine then asks for the lead.
        if (outcomes.some(({ status }) => status === 'unknown')) outcomes = await world.open().push(leads)
        for (const { status } of outcomes) expect(acknowledged).toContain(status)
        for (const lead of leads) expect(world.stored(lead)).toHaveLength(1)
        world.sandbox.reset()
        if (ended !== null) return
        expect(calls).toBeLessThan(30)
      }
    },
  },
  {
    title: 'a job that fails puts off the leads that it did not come to, and tells what became of the others',
    ofJobs: true,
    prove: (world) =>
      onAnother(world, world.subject.jobs?.createFailing(), async (other) => {
        const leads = several()
        const outcomes = await (await other.ready()).push(leads, memory().place())
        leads.forEach((lead, n) => {
          const [record] = other.stored(lead)
          if (record === undefined)
            expect(outcomes[n]).toMatchObject({ status: 'deferred', afterMs: expect.any(Number) })
          else expect(outcomes[n]).toMatchObject({ status: 'created', crmId: record.id })
        })
        expect(outcomes.filter(({ status }) => status === 'deferred')).toHaveLength(leads.length - 3)
      }),
  },
  {
    title: 'the results of a job are read to their last page',
    ofJobs: true,
    prove: (world) =>
      onAnother(world, world.subject.jobs?.createPaging(), async (other) => {
        const leads = several()
        const outcomes = await (await other.ready()).push(leads, memory().place())
        leads.forEach((lead, n) => {
          expect(outcomes[n]).toMatchObject({ status: 'created', crmId: other.stored(lead)[0]?.id })
        })
      }),
  },
  {
    title: 'a rep’s edit survives a job, also one that another process ends',
    ofJobs: true,
    async prove(world) {
      const [first] = await (await world.ready()).push([companyLead(1)], memory().place())
      if (first === undefined || !('crmId' in first)) throw new Error('the lead was not created')
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Phone'])
      world.edit(id, field, '+918320000001')
      const pushed = { crmId: first.crmId, lastPushed: first.values }
      const leads = [{ ...companyLead(1, { Phone: '+918323333333', City: 'Ponda' }), ...pushed }]
      const { place } = memory()
      const died = new Error('the process died')
      await expect(
        world.open().push(
          leads,
          place(() => Promise.reject(died)),
        ),
      ).rejects.toThrow(died)
      const [second] = await world.open().push(leads, place())
      expect(second).toMatchObject({ status: 'updated', crmId: id })
      expect(world.heldIn(companyLead(1), field)).toBe('+918320000001')
      const again = leads.map((lead) => ({ ...lead, lastPushed: second && 'values' in second ? second.values : null }))
      expect(await world.open().push(again, memory().place())).toMatchObject([{ status: 'unchanged' }])
    },
  },
]
