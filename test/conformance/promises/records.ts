/** Promises about records: one for each lead, one outcome for each lead, found and erased by its identity. */
import { expect } from 'vitest'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise } from './world.ts'

export const recordPromises: readonly ConnectorPromise[] = [
  {
    title: 'a lead of each kind is created, one record each, under the id that the outcome names',
    async prove(world) {
      const leads = [gstLead(1), companyLead(1), directorLead(1)]
      const outcomes = await (await world.ready()).push(leads)
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['created', 'created', 'created'])
      leads.forEach((lead, n) => {
        expect(world.stored(lead)).toHaveLength(1)
        expect(outcomes[n]).toMatchObject({ crmId: world.stored(lead)[0]?.id })
      })
    },
  },
  {
    title: 'pushing twice leaves one record, says unchanged and writes nothing, with the ledger and without it',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([gstLead(1)])
      expect(first?.status).toBe('created')
      const writesBefore = world.writes().length
      const crmId = world.stored(gstLead(1))[0]?.id
      for (const again of [afterPush(gstLead(1), first), gstLead(1)]) {
        const [second] = await world.open().push([again])
        expect(second).toMatchObject({ status: 'unchanged', crmId })
        expect(world.stored(gstLead(1)).map(({ id }) => id)).toEqual([crmId])
      }
      expect(world.writes()).toHaveLength(writesBefore)
    },
  },
  {
    title: 'a changed lead updates its record',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1)])
      const changed = afterPush(companyLead(1, { Phone: '+918323333333' }), first)
      const [second] = await session.push([changed])
      expect(second).toMatchObject({ status: 'updated', crmId: changed.crmId })
      expect(world.stored(changed)).toHaveLength(1)
      expect(JSON.stringify(world.stored(changed))).toContain('+918323333333')
    },
  },
  {
    title: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    async prove(world) {
      const leads = Array.from({ length: world.subject.connector.batchSizeMax }, (_, n) =>
        gstLead(n, n % 10 === 1 ? { Email: 'no-address' } : {}),
      )
      const outcomes = await (await world.ready()).push(leads)
      expect(outcomes).toHaveLength(leads.length)
      const byExternalId = new Map(world.sandbox.records().map((each) => [world.subject.externalIdOf(each), each.id]))
      leads.forEach((lead, n) => {
        const outcome = outcomes[n]
        if (n % 10 === 1) {
          const something = expect.stringMatching(/./)
          expect(outcome).toMatchObject({ status: 'rejected', code: something, message: something })
          expect(byExternalId.has(lead.externalId)).toBe(false)
        } else {
          expect(outcome).toMatchObject({ status: 'created', crmId: byExternalId.get(lead.externalId) })
        }
      })
    },
  },
  {
    title: 'a full batch is one write call',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      const writesBefore = world.writes().length
      const { connector, leadsPerWrite = connector.batchSizeMax } = world.subject
      await session.push(Array.from({ length: connector.batchSizeMax }, (_, n) => gstLead(n)))
      expect(world.writes()).toHaveLength(writesBefore + Math.ceil(connector.batchSizeMax / leadsPerWrite))
    },
  },
  {
    title: 'a first delivery reads few of its leads: at most one call for five that write',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      await session.push([gstLead(0)])
      const reads = () => world.sandbox.calls().filter((call) => world.subject.isRead(call)).length
      const [readsBefore, writesBefore] = [reads(), world.writes().length]
      for (let n = 1; n <= 5; n += 1) {
        expect(await session.push([gstLead(n)])).toMatchObject([{ status: 'created' }])
      }
      expect(world.writes()).toHaveLength(writesBefore + 5)
      expect(reads() - readsBefore).toBeLessThanOrEqual(1)
    },
  },
  {
    title:
      'a lead that is there although the ledger knows nothing of it is met, not made again, and a rep’s edit in it survives',
    async prove(world) {
      const [there] = await (await world.ready()).push([companyLead(1)])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Phone'])
      world.edit(id, field, '+918320000001')
      const session = world.open()
      expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'created' }])
      const leads = [gstLead(2), companyLead(1, { Phone: '+918323333333' })]
      const [created, met] = await session.push(leads)
      expect(created).toMatchObject({ status: 'created' })
      expect(acknowledged).toContain(met?.status)
      expect(met).toMatchObject({ crmId: there && 'crmId' in there ? there.crmId : '' })
      expect(world.stored(companyLead(1))).toHaveLength(1)
      expect(world.heldIn(companyLead(1), field)).toBe('+918320000001')
    },
  },
  {
    title: 'a lead that stands twice in one push becomes one record and gets two outcomes',
    async prove(world) {
      const leads = [gstLead(1), gstLead(2), { ...gstLead(1), itemId: 'item-of-another-order' }]
      const outcomes = await (await world.ready()).push(leads)
      expect(outcomes).toHaveLength(3)
      for (const { status } of outcomes) expect(acknowledged).toContain(status)
      expect(world.stored(gstLead(1))).toHaveLength(1)
    },
  },
  {
    title: 'apostrophes, quotes, backslashes and Unicode arrive unchanged',
    async prove(world) {
      const name = `D'Souza & Sons "Panjim" — पंजी प्रा. लि. \\ ₹`
      const lead = gstLead(1, { Company: name, Last_Name: `O'Brien` })
      await (await world.ready()).push([lead])
      expect(world.stored(lead).flatMap((record) => Object.values(record.properties))).toContain(name)
      const found = await (await world.ready()).lookup([lead.externalId])
      expect(Object.values(found.get(lead.externalId)?.values ?? {})).toContain(name)
    },
  },
  {
    title: 'the values of an outcome are what the CRM now holds, so that the ledger knows an edit when it sees one',
    async prove(world) {
      const session = await world.ready()
      const lead = companyLead(1)
      const [outcome] = await session.push([lead])
      const { lastPushed } = afterPush(lead, outcome)
      const held = (await session.lookup([lead.externalId])).get(lead.externalId)?.values ?? {}
      expect(Object.values(lastPushed ?? {})).toContain(lead.row['Company'])
      for (const [field, value] of Object.entries(lastPushed ?? {})) expect(String(held[field])).toBe(String(value))
    },
  },
  {
    title: 'a lookup of a full batch finds each record that is there and leaves out what is not',
    async prove(world) {
      const leads = Array.from({ length: world.subject.connector.batchSizeMax }, (_, n) => gstLead(n))
      const session = await world.ready()
      await session.push(leads)
      const ids = leads.map(({ externalId }) => externalId)
      const found = await session.lookup([...ids, gstLead(999).externalId])
      expect([...found.keys()].sort()).toEqual([...ids].sort())
      const byExternalId = new Map(world.sandbox.records().map((each) => [world.subject.externalIdOf(each), each.id]))
      for (const id of ids) expect(found.get(id)?.crmId).toBe(byExternalId.get(id))
    },
  },
  {
    title: 'erasing deletes the records that are asked for and no other, and counts those that were there',
    async prove(world) {
      const session = await world.ready()
      await session.push([gstLead(1), gstLead(2), gstLead(3)])
      const ids = [gstLead(1), gstLead(2), gstLead(4)].map(({ externalId }) => externalId)
      expect(await session.erase(ids)).toBe(2)
      expect([gstLead(1), gstLead(2), gstLead(3)].map((lead) => world.stored(lead).length)).toEqual([0, 0, 1])
      expect((await session.lookup(ids)).size).toBe(0)
      expect(await session.erase(ids)).toBe(0)
    },
  },
  {
    title: 'nothing to do is no fault and costs no write',
    async prove(world) {
      const session = await world.ready()
      const writesBefore = world.writes().length
      expect(await session.push([])).toEqual([])
      expect(await session.plan([])).toEqual([])
      expect((await session.lookup([])).size).toBe(0)
      expect(await session.erase([])).toBe(0)
      expect(world.writes()).toHaveLength(writesBefore)
    },
  },
]
