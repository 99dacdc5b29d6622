import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withinAwake } from '../../../src/domain/awake-time.ts'

function blockLoop(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('an answer that came while the loop was blocked for longer than the time-out is no silence', async () => {
  const answer = withinAwake(delay(20, 'answer'), 60, () => 'silence')
  await delay(10)
  blockLoop(120)
  expect(await answer).toBe('answer')
})

test('what does not answer while the loop is awake is late, as value or as error', async () => {
  const never = new Promise<string>(() => {})
  expect(await withinAwake(never, 30, () => 'silence')).toBe('silence')
  await expect(
    withinAwake(never, 30, () => {
      throw new Error('too late')
    }),
  ).rejects.toThrow('too late')
})
