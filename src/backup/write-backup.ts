/**
 * Writes a backup while Panji runs: one snapshot of the database (REPEATABLE READ), from which every table is copied,
 * and the files of the data directory that the tables need. The file gets its name when it is complete.
 */

import { createHash } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Db, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { checkBackup } from './check-backup.ts'
import { draftOf, removeAbandoned } from './drafts.ts'
import { backupFormat, type Manifest, manifestHashName, manifestName, tableEntry } from './manifest.ts'
import { closeFiles, type OpenedFile, openFiles, type PlacedFile } from './opened-files.ts'
import { PackedFile } from './packed-file.ts'
import { copyJobsOut, jobsName } from './queued-jobs.ts'
import { copyOut, storedTables, Tally, textSettings } from './tables.ts'
import { type Member, partBytes } from './tar.ts'

export interface BackupSource {
  readonly db: Db
  readonly version: string
  /** Files to include: where they are, and their name in the data directory. */
  readonly files: readonly PlacedFile[]
  /** Inputs of runs that are open in the snapshot. */
  readonly filesOfRuns?: (tx: Tx) => Promise<readonly PlacedFile[]>
}

/** No table takes longer to copy. */
const copyMsMax = 24 * 60 * 60 * 1000

export interface WriteOptions {
  /** Called as rows are copied, with the total so far. */
  readonly onRows?: (rows: number) => void
  /** Gets the complete archive before it has its name; if it throws, the file is removed. */
  readonly tryDraft?: (draft: string, manifest: Manifest) => Promise<void>
  /** Ends the writing, and the draft is removed. */
  readonly signal?: AbortSignal | undefined
}

/** @param path of the archive; an existing file is replaced atomically. */
export async function writeBackup(
  source: BackupSource,
  path: string,
  { onRows = () => {}, tryDraft, signal }: WriteOptions = {},
): Promise<Manifest> {
  const draft = draftOf(path)
  const file = await PackedFile.create(draft)
  const put = async (member: Member) => {
    signal?.throwIfAborted()
    await file.put(member)
  }
  try {
    const manifest = await source.db.readSnapshot(copyMsMax, (tx) => copyAll(tx, source, put, onRows))
    const text = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`)
    await put({ name: manifestName, body: text })
    await put({ name: manifestHashName, body: Buffer.from(createHash('sha256').update(text).digest('hex')) })
    await file.end()
    // A backup that cannot be read back or restored is found now, and never replaces a good one.
    await checkBackup(draft, signal)
    await tryDraft?.(draft, manifest)
    await rename(draft, path)
    await removeAbandoned(path)
    return manifest
  } catch (error) {
    await file.abandon()
    await rm(draft, { force: true })
    throw error
  }
}

type Put = (member: Member) => Promise<void>

async function copyAll(tx: Tx, source: BackupSource, put: Put, onRows: (rows: number) => void): Promise<Manifest> {
  await tx.client.query(textSettings)
  const ofRuns = (await source.filesOfRuns?.(tx)) ?? []
  const files = [...(await openFiles(source.files, false)), ...(await openFiles(ofRuns, true))]
  try {
    return await copyOpened(tx, source.version, files, put, onRows)
  } finally {
    await closeFiles(files)
  }
}

async function copyOpened(
  tx: Tx,
  version: string,
  files: readonly OpenedFile[],
  put: Put,
  onRows: (rows: number) => void,
): Promise<Manifest> {
  const [facts] = await tx.query<{ postgresql: string; taken_at: Date; queue: boolean }>(
    `SELECT current_setting('server_version') AS postgresql, now() AS taken_at,
            to_regclass('pgboss.version') IS NOT NULL AS queue`,
  )
  if (!facts) throw new Error('the database reported nothing about itself')
  const migrations = await tx.query<Manifest['migrations'][number]>(
    'SELECT name, sha256 FROM runtime.migration ORDER BY name',
  )
  const [queue] = facts.queue ? await tx.query<{ version: number }>('SELECT version FROM pgboss.version') : []

  const tables: Manifest['tables'] = []
  let rows = 0
  const keep = async (name: string, columns: readonly string[], content: AsyncIterable<Buffer>) => {
    const counts = await putParts(put, tableEntry(name), content, (more) => onRows(rows + more))
    rows += counts.rows
    tables.push({ name, columns: [...columns], ...counts })
  }
  // First, so that a restore finds them without reading everything twice.
  if (queue) {
    const jobs = await copyJobsOut(tx)
    await keep(jobsName, jobs.columns, jobs.rows)
  }
  const names = migrations.map(({ name }) => name)
  for (const table of await storedTables(tx, names)) await keep(table.name, table.columns, copyOut(tx, table))
  // Sequences are outside of snapshots. Read last, they are never behind a row that was copied.
  const sequences = await readSequences(
    tx,
    tables.map(({ name }) => name),
  )

  const kept: Manifest['files'] = []
  for (const [index, { handle, name }] of files.entries()) {
    const plain = basename(name)
      .replace(/[^\w.-]/g, '_')
      .slice(0, 40)
    const entry = `files/${String(index + 1).padStart(4, '0')}-${plain}`
    const { bytes, sha256 } = await putParts(put, entry, handle.createReadStream({ autoClose: false }))
    kept.push({ name, entry, bytes, sha256 })
  }
  return {
    format: backupFormat,
    panji: version,
    postgresql: facts.postgresql,
    taken_at: facts.taken_at.toISOString(),
    migrations,
    queue_schema: queue?.version ?? null,
    tables,
    sequences,
    files: kept,
  }
}

/** Splits content into members of at most one part each; empty content also has a part. */
async function putParts(
  put: Put,
  entry: string,
  content: AsyncIterable<Buffer>,
  onRows: (rows: number) => void = () => {},
): Promise<{ rows: number; bytes: number; sha256: string }> {
  const tally = new Tally()
  let held: Buffer[] = []
  let heldBytes = 0
  let parts = 0
  const flush = async () => {
    parts += 1
    await put({ name: `${entry}/${String(parts).padStart(6, '0')}`, body: Buffer.concat(held) })
    held = []
    heldBytes = 0
  }
  for await (const chunk of content) {
    tally.add(chunk)
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < partBytes) continue
    await flush()
    onRows(tally.rows)
  }
  if (heldBytes > 0 || parts === 0) await flush()
  onRows(tally.rows)
  return { rows: tally.rows, bytes: tally.bytes, sha256: tally.sha256() }
}

/** Sequences that number the rows of the tables. */
async function readSequences(tx: Tx, tables: readonly string[]): Promise<Manifest['sequences']> {
  const names = await tx.query<{ name: string }>(
    `SELECT DISTINCT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
         AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
       JOIN pg_class owner ON owner.oid = d.refobjid JOIN pg_namespace o ON o.oid = owner.relnamespace
     WHERE c.relkind = 'S' AND format('%I.%I', o.nspname, owner.relname) = ANY($1) ORDER BY 1`,
    [tables],
  )
  const sequences: Manifest['sequences'] = []
  for (const { name } of names) {
    const [state] = await tx.query<{ last: string; called: boolean }>(
      sql`SELECT last_value::text AS last, is_called AS called FROM ${name}`,
    )
    if (state) sequences.push({ name, ...state })
  }
  return sequences
}
