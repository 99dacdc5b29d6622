/** A database for sequences to happen in, one after the other, with a second process that runs beside this one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import type { Db } from '../../../../src/db/db.ts'
import { suppressionSettings, useTestDatabase } from '../../../support/database.ts'
import { useIngest } from '../../../support/ingest.ts'
import type { RegisterKind } from './kinds/kind.ts'
import { live } from './sequence.ts'

export const stepsOfSequence = 9

export interface Sequences {
  /** @throws where the product and the oracle part. */
  live(kind: RegisterKind, seed: number): Promise<void>
}

/** Call at the top of a describe or a file. @param planted what becomes of a database that the product is given. */
export function useSequences(planted: (db: Db) => Db = (db) => db): Sequences {
  const database = useTestDatabase()
  const { file, queue, dependencies, folder } = useIngest(database)
  let second: ChildProcess
  beforeAll(() => {
    const script = fileURLToPath(new URL('second-process.ts', import.meta.url))
    second = fork(script, [database.urlAs('panji_worker'), JSON.stringify(suppressionSettings), folder], {
      stdio: 'inherit',
    })
  })
  afterAll(async () => {
    const gone = once(second, 'exit')
    if (second.connected) second.disconnect()
    if (second.exitCode === null) await gone
  })
  const runElsewhere = async (runId: number): Promise<string | undefined> => {
    const ended = new AbortController()
    const stop = () => ended.abort(new Error('the second process ended before it answered'))
    second.once('exit', stop)
    second.send(runId)
    const [answer] = (await once(second, 'message', { signal: ended.signal })) as [string]
    second.off('exit', stop)
    return answer === 'done' ? undefined : answer
  }
  /** Of every second seed first loads go aside, so that records tell of their insert themselves; those of the second process never do. */
  const deps = (seed: number) => () => ({
    ...dependencies(),
    db: planted(dependencies().db),
    shadowTableFrom: seed % 2 === 0 ? 0 : Number.POSITIVE_INFINITY,
  })
  return {
    live: (kind, seed) =>
      live(
        { db: planted(database.db), queue, dependencies: deps(seed), file, runElsewhere },
        kind,
        seed,
        stepsOfSequence,
      ),
  }
}
