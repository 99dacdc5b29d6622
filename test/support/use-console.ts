/** One installation with a browser before it, for all tests of a file. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ConsoleInstance } from './console-instance.ts'

/** Call at the top of a file. Where no browser starts its tests are skipped. */
export function useConsole(start: () => Promise<ConsoleInstance | undefined>): () => ConsoleInstance {
  let instance: ConsoleInstance | undefined
  beforeAll(async () => {
    instance = await start()
  }, 600_000)
  afterAll(() => instance?.stop())
  beforeEach(({ skip }) => {
    if (!instance) skip()
  })
  return () => {
    if (!instance) throw new Error('nothing was started')
    return instance
  }
}
