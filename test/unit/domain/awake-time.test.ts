import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withinAwake } from '../../../src/domain/awake-time.ts'

function blockLoop(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('an answer that came while the loop was blocked for longer than the time-out is no silence', async () => {
  const answer = withinAwake(delay(50, 'answer'), 200, () => 'silence')
  await delay(10)
  blockLoop(500)
  expect(await answer).toBe('answer')
})

test('what does not answer while the loop is awake is late, as value or as error', async () => {
  const never = new Promise<string>(() => {})
  expect(await withinAwake(never, 100, () => 'silence')).toBe('silence')
  await expect(
    withinAwake(never, 100, () => {
      throw new Error('too late')
    }),
  ).rejects.toThrow('too late')
})
