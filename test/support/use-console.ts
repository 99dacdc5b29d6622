/** One installation with a browser for all tests of a file. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ConsoleInstance } from './console-instance.ts'

/** Call at the top of a file. Where no browser starts its tests are skipped. */
export function useConsole(start: () => Promise<ConsoleInstance | undefined>): () => ConsoleInstance {
  let instance: ConsoleInstance | undefined
  let starting: Promise<ConsoleInstance | undefined> | undefined
  beforeAll(async () => {
    starting = start()
    instance = await starting
  }, 600_000)
  // A start that exceeds its timeout completes after its tests were given up, and would keep running.
  afterAll(async () => {
    const [outcome] = await Promise.allSettled([starting])
    if (outcome.status === 'fulfilled') await outcome.value?.stop()
  }, 600_000)
  beforeEach(({ skip }) => {
    if (!instance) skip()
  })
  return () => {
    if (!instance) throw new Error('nothing was started')
    return instance
  }
}
