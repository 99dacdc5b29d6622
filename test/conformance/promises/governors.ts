/** Promises about CRMs whose own code bears fewer rows of one write than a call takes: a trigger that is not made for many. */
import { expect } from 'vitest'
import { gstLead } from '../sample-leads.ts'
import type { ConnectorPromise, World } from './world.ts'

const borne = 30

export const governorPromises: readonly ConnectorPromise[] = [
  {
    title:
      'rows that the CRM refuses for their number alone go again in halves until all are in, and the size that went is told',
    ofGovernors: true,
    async prove(world) {
      const session = await world.ready()
      const leads = leadsOf(world)
      world.subject.limitRows?.(world.sandbox, borne)
      const outcomes = await session.push(leads)
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['created']))
      for (const lead of leads) expect(world.stored(lead)).toHaveLength(1)
      const { learnedBatchSize = leads.length } = session
      expect(learnedBatchSize).toBeGreaterThan(borne / 2)
      expect(learnedBatchSize).toBeLessThanOrEqual(borne)
    },
  },
  {
    title: 'a session that is told the size asks for no more at once: nothing is refused',
    ofGovernors: true,
    async prove(world) {
      await world.ready()
      const leads = leadsOf(world)
      world.subject.limitRows?.(world.sandbox, borne)
      const before = world.writes().length
      const outcomes = await world.open({ batchSize: 25 }).push(leads)
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['created']))
      expect(world.writes().length - before).toBe(Math.ceil(leads.length / 25))
    },
  },
  {
    title: 'a row that is refused even alone is rejected with the vendor’s words, and nothing is learned of it',
    ofGovernors: true,
    async prove(world) {
      const session = await world.ready()
      world.subject.limitRows?.(world.sandbox, 0)
      const leads = [gstLead(1), gstLead(2), gstLead(3)]
      for (const outcome of await session.push(leads))
        expect(outcome).toMatchObject({ status: 'rejected', message: expect.stringMatching(/Too many|limit/i) })
      expect(session.learnedBatchSize).toBeUndefined()
      expect(leads.flatMap((lead) => world.stored(lead))).toEqual([])
    },
  },
]

const leadsOf = ({ subject }: World) => Array.from({ length: subject.connector.batchSizeMax }, (_, n) => gstLead(n))
