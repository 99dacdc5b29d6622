/** Ingests a file or a text through the real path: a requested run, then the run itself, in this process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { sources } from '../../config/sources/index.ts'
import type { Db } from '../../src/db/db.ts'
import { changesOf } from '../../src/db/history-with-inserts.ts'
import { sql } from '../../src/db/sql.ts'
import { Secret } from '../../src/domain/secret.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { type RunRequest, requestRun } from '../../src/ingest/run/request-run.ts'
import type { RunDependencies } from '../../src/ingest/run/run-dependencies.ts'
import type { RunRecord } from '../../src/ingest/run/runs.ts'
import { keepInput } from '../../src/ingest/run/source-address.ts'
import type { JobSender } from '../../src/queue/queue.ts'
import type { TestDatabase } from './database.ts'

export const testSecretKey = new Secret('the secret key of tests')

export interface SentJob {
  readonly queue: string
  readonly payload: unknown
}

/** A queue that only records; what it sent is asserted, or run by the test itself. */
export function rememberingQueue(): JobSender & { readonly sent: SentJob[] } {
  const sent: SentJob[] = []
  return {
    sent,
    send: async (_tx, queue, payload) => {
      sent.push({ queue: queue.name, payload })
      return 'remembered'
    },
  }
}

export const registryFixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/registries/${name}`, import.meta.url))

export interface IngestSetup {
  readonly folder: string
  readonly queue: ReturnType<typeof rememberingQueue>
  /** Writes the text (or bytes) to a file of the test's folder. */
  file(name: string, content: string | Buffer): string
  ingest(
    source: string,
    input: string,
    options?: Partial<Omit<RunRequest, 'source' | 'input'>> & { readonly deps?: Partial<RunDependencies> },
  ): Promise<RunRecord>
  dependencies(): RunDependencies
}

/** Call at the top of a file, after useTestDatabase(). */
export function useIngest(database: Pick<TestDatabase, 'db' | 'as'>): IngestSetup {
  const folder = mkdtempSync(join(tmpdir(), 'panji-ingest-test-'))
  const queue = rememberingQueue()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const dependencies = (): RunDependencies => ({
    db: database.as('panji_worker'),
    queue,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    allowPrivateSources: false,
    dataDir: folder,
    secretKey: testSecretKey,
  })
  return {
    folder,
    queue,
    dependencies,
    file(name, content) {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    async ingest(source, input, { deps, ...options } = {}) {
      const { runId } = await database.db.transaction((tx) =>
        requestRun(tx, queue, { source, ...keepInput(input, testSecretKey), ...options }),
      )
      return runSnapshot({ ...dependencies(), ...deps }, runId)
    },
  }
}

/** What ingest writes and readers see, with an order for its rows. */
export const writtenTables = {
  'registry.company': 'cin',
  'registry.gst_taxpayer': 'gstin',
  'registry.director': 'din',
  'registry.directorship': 'id',
  'registry.contact': 'id',
  'feed.registration': 'dataset, identifier',
  'ingest.scope': 'source, scope',
  'registry.version': 'entity',
} as const

/** The history of all registers, stored or implied by the records; a subquery. */
export const toldChanges = `(${sources.map((source) => sql`SELECT * FROM ${changesOf(source)} ${source.entity}`).join(' UNION ALL ')})`

/** Everything that ingest writes and readers see, without run ids and timestamps. */
export async function registerContents(db: Db): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {}
  for (const [table, order] of Object.entries(writtenTables)) {
    const rows = await db.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - ARRAY['first_run_id', 'last_run_id', 'run_id', 'changed_at', 'insert_change_id', 'insert_record_no'] AS row
       FROM ${table} t ORDER BY ${order}`,
    )
    contents[table] = rows.map(({ row }) => row)
  }
  contents['ingest.change'] = await db.query(
    sql`SELECT entity, identifier, kind, as_of, before, after FROM ${toldChanges} h ORDER BY entity, identifier, change_id`,
  )
  return contents
}

/** The working tables of runs; none may be left when no run is open. */
export async function stagingTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'ingest'::regnamespace AND relkind = 'r' AND relname ~ '_[0-9]+$' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}
