/** Promises about fields that an administrator changes while the CRM holds leads: none is rejected for it, and none has a second record. */
import { expect } from 'vitest'
import { gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise } from './world.ts'

export const changePromises: readonly ConnectorPromise[] = [
  {
    title:
      'an identity field that may not be written stops a push before anything is written, set-up says so, and once it is mended all leads go in',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([gstLead(1)])
      const leads = [afterPush(gstLead(1, { City: 'Vasco da Gama' }), first), gstLead(2)]
      const identity = (await session.describe()).find(({ isIdentity }) => isIdentity)?.name ?? ''
      const field = identity.slice(identity.indexOf('.') + 1)
      const before = structuredClone(world.sandbox.records())
      world.sandbox.changeField?.(field, { writable: false })
      await expect(world.open().push(leads)).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
      expect(world.sandbox.records()).toEqual(before)
      expect((await world.open().setup()).todo.length).toBeGreaterThan(0)
      world.sandbox.changeField?.(field, { writable: true })
      expect((await world.open().setup()).todo).toEqual([])
      for (const { status } of await world.open().push(leads)) expect(acknowledged).toContain(status)
      for (const lead of leads) expect(world.stored(lead)).toHaveLength(1)
    },
  },
  {
    title: 'a field that may not be written since the session began keeps no lead of it out',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      const lead = gstLead(1)
      const [first] = await session.push([lead])
      const { field } = world.fieldHolding(lead, lead.row['LegalName'])
      world.sandbox.changeField?.(field, { writable: false })
      const leads = [afterPush(gstLead(1, { LegalName: 'MANDOVI TRADERS LIMITED' }), first), gstLead(2)]
      for (const { status } of await session.push(leads)) expect(acknowledged).toContain(status)
      for (const each of leads) expect(world.stored(each)).toHaveLength(1)
    },
  },
]
