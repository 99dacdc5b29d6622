/** A database for lives to happen in, with records to be bought and a second process that acts beside this one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { allAccounts } from '../../../../src/db/account-scope.ts'
import { suppressionSettings, type TestDatabase, useTestDatabase } from '../../../support/database.ts'
import { gstinOf, insertContact, insertGst } from '../world.ts'
import { serials } from './choose.ts'
import type { Answer } from './deeds.ts'
import { live } from './life.ts'

/** As many as fit a minute of one core; of each as many steps. */
export const ordinary = { lives: 20, steps: 40 } as const

const steps = Number(process.env['PANJI_LIFE_STEPS'] ?? ordinary.steps)

export interface Lives {
  readonly database: TestDatabase
  /** @throws where the product and the model part. */
  live(seed: number): Promise<void>
}

/** Call at the top of a describe or a file. */
export function useLives(): Lives {
  const database = useTestDatabase()
  const script = fileURLToPath(new URL('second-process.ts', import.meta.url))
  let second: ChildProcess
  beforeAll(async () => {
    for (let serial = 0; serial < serials; serial++) {
      await insertGst(database.db, gstinOf(serial))
      await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
    }
    const settings = JSON.stringify({ ...suppressionSettings, ...allAccounts })
    second = fork(script, [database.url, settings], { stdio: 'inherit' })
  })
  afterAll(async () => {
    const gone = once(second, 'exit')
    if (second.connected) second.disconnect()
    if (second.exitCode === null) await gone
  })
  const elsewhere = async (accountId: string, deed: object): Promise<Answer> => {
    const ended = new AbortController()
    const stop = () => ended.abort(new Error('the second process ended before it answered'))
    second.once('exit', stop)
    second.send({ accountId, deed })
    const [answer] = await once(second, 'message', { signal: ended.signal })
    second.off('exit', stop)
    return answer as Answer
  }
  return { database, live: (seed) => live(database, elsewhere, seed, steps) }
}
