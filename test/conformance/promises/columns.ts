/** Promises about the columns of a lead: none is lost, each stands where people look for it, and each change follows. */
import { expect } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { fullLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, type World } from './world.ts'

export const columnPromises: readonly ConnectorPromise[] = [
  {
    title: 'no column of a lead is lost: each value stands in a field or in a text of the record',
    async prove(world) {
      const session = await world.ready()
      for (const type of entityTypes) {
        const lead = fullLead(type, 1)
        expect((await session.push([lead]))[0]?.status).toBe('created')
        expect(columnsMissing(world, lead)).toEqual([])
      }
    },
  },
  {
    title: 'what people look for by its field stands there: name, address, and how to reach somebody',
    async prove(world) {
      const session = await world.ready()
      for (const type of entityTypes) {
        const lead = fullLead(type, 1)
        await session.push([lead])
        const places = Object.entries(world.subject.places[type])
        expect(places.length).toBeGreaterThan(5)
        const held = world.sandbox.records().map(({ properties }) => properties)
        const misplaced = places.filter(([column, field]) => !held.some((each) => each[field] === lead.row[column]))
        expect(misplaced).toEqual([])
      }
    },
  },
  {
    title: 'whichever column changes, its new value is sent with the next push',
    async prove(world) {
      const session = await world.ready()
      for (const type of entityTypes) {
        const [first] = await session.push([fullLead(type, 1)])
        const changed = { ...fullLead(type, 1), row: fullLead(type, 2).row }
        const [second] = await session.push([afterPush(changed, first)])
        expect(acknowledged).toContain(second?.status)
        expect(columnsMissing(world, changed)).toEqual([])
      }
    },
  },
]

/** Columns whose value no record holds, whole or as a part of a text. */
function columnsMissing(world: World, { type, row }: OutgoingLead): string[] {
  const held = world.sandbox.records().flatMap(({ properties }) => Object.values(properties).map(String))
  const isHeld = (name: string) => held.some((text) => text.includes(String(row[name])))
  return leadColumns[type].map(({ name }) => name).filter((name) => !isHeld(name))
}
