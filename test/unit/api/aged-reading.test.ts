import { expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { agedReading } from '../../../src/health/readings/aged-reading.ts'

/** A clock and readings that end when the test says so. */
function staged() {
  let now = 1_000
  const pending: { resolve: () => void; reject: (error: unknown) => void }[] = []
  const reading = agedReading(
    () => new Promise<void>((resolve, reject) => pending.push({ resolve, reject })),
    () => now,
  )
  const settle = async (error?: unknown) => {
    const next = pending.shift()
    if (error === undefined) next?.resolve()
    else next?.reject(error)
    await new Promise(setImmediate)
  }
  return {
    reading,
    pending,
    settle,
    pass(ms: number) {
      now += ms
    },
  }
}

test('it is read once a minute however often it is asked for, and told with its age while the next is read', async () => {
  const { reading, pending, settle, pass } = staged()
  const first = [reading.age(), reading.age(), reading.age()]
  expect(pending).toHaveLength(1)
  await settle()
  expect(await Promise.all(first)).toEqual([0, 0, 0])
  pass(59_000)
  expect(await reading.age()).toBe(59)
  expect(pending).toHaveLength(0)
  pass(2_000)
  // Nobody waits for the second reading.
  expect(await reading.age()).toBe(61)
  expect(await reading.age()).toBe(61)
  expect(pending).toHaveLength(1)
  await settle()
  expect(await reading.age()).toBe(0)
})

test('one that the database cannot answer leaves what was told, older; a fault of ours is told', async () => {
  const { reading, settle, pass } = staged()
  const first = reading.age()
  await settle()
  await first
  pass(61_000)
  await reading.age()
  await settle(Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }))
  expect(await reading.age()).toBe(61)
  pass(61_000)
  await reading.age()
  await settle(new AppError('INTERNAL', 'a column that does not exist'))
  await expect(reading.age()).rejects.toThrow('a column that does not exist')
})

test('what is forgotten is read anew at once', async () => {
  const { reading, pending, settle } = staged()
  const first = reading.age()
  await settle()
  expect(await first).toBe(0)
  reading.forget()
  const again = reading.age()
  expect(pending).toHaveLength(1)
  await settle()
  expect(await again).toBe(0)
})
