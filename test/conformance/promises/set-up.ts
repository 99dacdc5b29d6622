/** Promises about making a CRM ready, and about what it says of itself. */
import { expect } from 'vitest'
import { type ConnectorPromise, World } from './world.ts'

export const setUpPromises: readonly ConnectorPromise[] = [
  {
    title: 'set-up makes the CRM ready and can be repeated',
    async prove(world) {
      const first = await world.open().setup()
      expect(first.todo).toEqual([])
      expect(first.created.length).toBeGreaterThan(0)
      const second = await world.open().setup()
      expect(second).toMatchObject({ created: [], todo: [] })
      expect(second.present).toEqual(expect.arrayContaining([...first.created]))
    },
  },
  {
    title: 'set-up without the right to change the CRM creates nothing and says what an administrator must do',
    async prove({ subject }) {
      const guarded = await World.create(subject, subject.createGuardedSandbox())
      try {
        const report = await guarded.open().setup()
        expect(report.created).toEqual([])
        expect(report.todo.length).toBeGreaterThan(0)
        for (const sentence of report.todo) expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
      } finally {
        await guarded.close()
      }
    },
  },
  {
    title: 'describe names the fields with their lengths',
    async prove(world) {
      const fields = await (await world.ready()).describe()
      expect(fields.length).toBeGreaterThan(5)
      expect(fields.every(({ name, type, label }) => name.length > 0 && type.length > 0 && label.length > 0)).toBe(true)
      for (const { lengthMax } of fields) if (lengthMax !== null) expect(lengthMax).toBeGreaterThan(0)
      expect(fields.some(({ lengthMax }) => lengthMax !== null)).toBe(true)
      if (world.subject.connector.heedsOverrides === true)
        expect(fields.some(({ isIdentity }) => isIdentity)).toBe(true)
    },
  },
  {
    title: 'the limits are numbers that the CRM said, or null',
    async prove(world) {
      const { dailyUsed, dailyLimit } = await (await world.ready()).limits()
      for (const number of [dailyUsed, dailyLimit]) {
        if (number !== null) expect(Number.isSafeInteger(number) && number >= 0).toBe(true)
      }
      if (dailyUsed !== null && dailyLimit !== null) expect(dailyUsed).toBeLessThanOrEqual(dailyLimit)
    },
  },
  {
    title: 'the connector states its name, its batch and its pace',
    async prove({ subject: { connector }, sandbox }) {
      expect(connector.name).toBe(sandbox.crm)
      expect(connector.name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(Number.isSafeInteger(connector.batchSizeMax) && connector.batchSizeMax >= 1).toBe(true)
      expect(connector.callsPerSecond).toBeGreaterThan(0)
      expect(connector.callsPerSecond).toBeLessThanOrEqual(100)
    },
  },
]
