import { expect, test, vi } from 'vitest'
import { createReadGate } from '../../../src/api/expensive-reads.ts'
import { createGate, isRefused, type Leave, type Refused } from '../../../src/limits/gate.ts'

const planOf = (atOnce: number, waiting: number, takesReserve = true) => ({ atOnce, waiting, takesReserve }) as const
const entered = (asked: Leave | Refused): Leave => {
  if (isRefused(asked)) throw new Error(`refused: ${asked.full}`)
  return asked
}
/** All that was settled so far has been heard of. */
const heard = () => new Promise<void>((resolve) => setImmediate(resolve))

test('an account is served as many at once as its plan says, also after one of them was served and before it left', async () => {
  const gate = createReadGate(4)
  const plan = planOf(2, 5)
  const leaves: (() => void)[] = []
  for (let n = 0; n < 4; n++) void gate.enter('one', plan).then((leave) => leaves.push(entered(leave)))
  await heard()
  expect([leaves.length, gate.usage()]).toEqual([2, { running: 2, waiting: 2, refused: 0 }])
  leaves[0]?.()
  leaves[0]?.()
  await heard()
  expect([leaves.length, gate.usage()]).toEqual([3, { running: 2, waiting: 1, refused: 0 }])
  for (let n = 1; n < 4; n++) {
    leaves[n]?.()
    await heard()
  }
  expect(gate.usage()).toEqual({ running: 0, waiting: 0, refused: 0 })
})

test('free places go to the accounts in turn, and none of them holds the last place', async () => {
  const gate = createReadGate(2)
  const plan = planOf(9, 9)
  const order: string[] = []
  const leaves: (() => void)[] = []
  const enter = (account: string) =>
    void gate.enter(account, plan).then((leave) => {
      order.push(account)
      leaves.push(entered(leave))
    })
  for (const account of ['a', 'a', 'a', 'b', 'b', 'c']) enter(account)
  await heard()
  expect(order).toEqual(['a', 'b'])
  for (let n = 0; n < 6; n++) {
    leaves[n]?.()
    await heard()
  }
  expect(order.slice(2).toSorted()).toEqual(['a', 'a', 'b', 'c'])
  expect(order.indexOf('c')).toBeLessThan(order.lastIndexOf('a'))
})

test('accounts of a plan that leaves the last place to others leave it together, however many they are', async () => {
  const gate = createReadGate(3)
  const served: string[] = []
  const leaves: (() => void)[] = []
  const enter = (account: string, takesReserve: boolean) =>
    void gate.enter(account, planOf(2, 9, takesReserve)).then((leave) => {
      served.push(account)
      leaves.push(entered(leave))
    })
  for (const account of ['a', 'b', 'c']) enter(account, false)
  await heard()
  expect(served).toEqual(['a', 'b'])
  enter('paying', true)
  await heard()
  expect([served, gate.usage()]).toEqual([['a', 'b', 'paying'], { running: 3, waiting: 1, refused: 0 }])
  for (let n = 0; n < 4; n++) {
    leaves[n]?.()
    await heard()
  }
  expect([served.at(-1), gate.usage().running]).toEqual(['c', 0])
})

test('a line is bounded per account and for all together, and what gives up leaves its line', async () => {
  const gate = createReadGate(1, { waitSeconds: 60, waiting: 2 })
  const leave = entered(await gate.enter('one', planOf(1, 1)))
  const giving = new AbortController()
  const waiting = gate.enter('one', planOf(1, 1), { signal: giving.signal })
  expect(await gate.enter('one', planOf(1, 1))).toMatchObject({ full: 'share' })
  const other = gate.enter('two', planOf(1, 1))
  expect(await gate.enter('three', planOf(1, 1))).toMatchObject({ full: 'gate' })
  const patient = gate.enter('three', planOf(1, 0), { patient: true })
  giving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(gate.enter('four', planOf(1, 1), { signal: giving.signal })).rejects.toThrow('gone')
  expect(gate.usage()).toEqual({ running: 1, waiting: 2, refused: 2 })
  leave()
  entered(await other)()
  entered(await patient)()
  expect(gate.usage()).toEqual({ running: 0, waiting: 0, refused: 2 })
})

test('a caller that does not wait enters or learns which limit is full, and leaving frees a place', () => {
  const gate = createGate<object>({ places: 2 })
  const [one, two] = [{}, {}]
  const share = { atOnce: 1 }
  const leave = entered(gate.tryEnter(one, share))
  expect(gate.tryEnter(one, share)).toMatchObject({ full: 'share' })
  entered(gate.tryEnter(two, share))
  expect(gate.tryEnter({}, share)).toMatchObject({ full: 'gate' })
  leave()
  entered(gate.tryEnter({}, share))
  expect(gate.usage()).toEqual({ running: 2, waiting: 0, refused: 2 })
})

test('who has waited for as long as the gate allows is refused, and leaves the line', async () => {
  vi.useFakeTimers()
  try {
    const gate = createGate({ places: 1, waitSeconds: 3 })
    entered(gate.tryEnter('one', { atOnce: 1 }))
    const late = gate.enter('two', { atOnce: 1, waiting: 1 })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await late).toMatchObject({ full: 'late' })
    expect(gate.usage()).toEqual({ running: 1, waiting: 0, refused: 1 })
  } finally {
    vi.useRealTimers()
  }
})
