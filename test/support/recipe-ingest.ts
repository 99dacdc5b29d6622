/** The set-up of the recipes' child processes: migrates a database with the tree they are in, and imports snapshots. */
import { pino } from 'pino'
import { allAccounts } from '../../src/db/account-scope.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Secret } from '../../src/domain/secret.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import type { RunRecord } from '../../src/ingest/run/runs.ts'
import { keepInput } from '../../src/ingest/run/source-address.ts'
import { settingsOf } from '../../src/suppression/suppression-key.ts'

export interface AskedIngest {
  /** As the superuser, and as the two roles. */
  readonly urls: readonly [string, string, string]
  readonly folder: string
  readonly source: string
  /** Path and day. */
  readonly snapshots: readonly (readonly [string, string])[]
}

export interface TakenIn {
  readonly db: Db
  readonly api: Db
  readonly worker: Db
  /** Names of the migrations. */
  readonly applied: readonly string[]
  readonly runs: readonly RunRecord[]
  close(): Promise<void>
}

export const childKey = new Secret('the secret key of tests')
export const childQueue = { send: async () => 'nobody runs it here' }
export const childLog = pino({ level: 'silent' })

export async function takeIn({ urls, folder, source, snapshots }: AskedIngest): Promise<TakenIn> {
  const settings = settingsOf(Buffer.alloc(32, 'key of the suppression list'))
  const open = (connectionString: string, more = {}) =>
    openDb({ connectionString, applicationName: 'panji-recipe', settings: { ...settings, ...more } })
  const [db, api, worker] = [open(urls[0]), open(urls[1], allAccounts), open(urls[2])]
  const applied = await migrate(db)
  const runs: RunRecord[] = []
  for (const [path, asOf] of snapshots) {
    const request = { source, asOf, ...keepInput(path, childKey) }
    const { runId } = await db.transaction((tx) => requestRun(tx, childQueue, request))
    const signal = new AbortController().signal
    const kept = { allowPrivateSources: false, dataDir: folder, secretKey: childKey }
    runs.push(await runSnapshot({ db: worker, queue: childQueue, log: childLog, signal, ...kept }, runId))
  }
  const close = async () => {
    for (const each of [db, api, worker]) await each.close()
  }
  return { db, api, worker, applied, runs, close }
}
