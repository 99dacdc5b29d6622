/**
 * Writes a backup of an open instance to a file, tests its restore if requested, and records its start and its end in
 * the audit log. A backup whose restore fails replaces no file.
 */
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { audit } from '../../audit/audit.ts'
import { writeBackup } from '../../backup/write-backup.ts'
import type { Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { CliSettings } from '../settings.ts'
import { panjiVersion } from '../version.ts'
import { filesOfRuns, instanceFiles } from './kept-files.ts'
import type { OpenInstance } from './open-instance.ts'
import { requireTrial, tryRestore } from './restore/try-restore.ts'

export interface BackUpRequest {
  readonly path: string
  readonly overwrite: boolean
  readonly verifyRestore: boolean
  readonly actor: 'operator' | 'system'
  readonly onRows?: (what: 'copying' | 'restoring', rows: number, total: number) => void
  /** Ends the backup; what has the name stays. */
  readonly signal?: AbortSignal | undefined
}

export interface WrittenBackup {
  readonly file: string
  readonly bytes: number
  readonly taken_at: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly verified: true
  /** Whether its restore was tested, and succeeded. */
  readonly restore_verified: boolean
}

/** @throws AppError BACKUP_REFUSED, BACKUP_INVALID */
export async function backUp(
  { db, databaseUrl }: Pick<OpenInstance, 'db' | 'databaseUrl'>,
  settings: Pick<CliSettings, 'databaseUrl' | 'dataDir'>,
  { path, overwrite, verifyRestore, actor, onRows = () => {}, signal }: BackUpRequest,
): Promise<WrittenBackup> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('BACKUP_REFUSED', `${path} is a folder. Name a file in it.`)
  if (!overwrite) requireNew(path)
  if (verifyRestore) await requireTrial(db)
  await db.transaction((tx) => audit(tx, { actor, action: 'back up', subject: 'instance' }))
  const { dataDir } = settings
  const files = settings.databaseUrl === undefined ? instanceFiles(dataDir) : []
  const source = { db, version: panjiVersion(), files, filesOfRuns: (tx: Queryable) => filesOfRuns(tx, dataDir) }
  const { tables, taken_at, ...manifest } = await writeBackup(source, path, {
    signal,
    onRows: (rows) => onRows('copying', rows, 0),
    tryDraft: async (draft, written) => {
      const total = written.tables.reduce((sum, { rows }) => sum + rows, 0)
      const request = {
        path: draft,
        manifest: written,
        signal,
        onRows: (rows: number) => onRows('restoring', rows, total),
      }
      if (verifyRestore) await tryRestore(databaseUrl, request)
      // Another backup may have taken the name in the meantime.
      if (!overwrite) requireNew(path)
    },
  })
  const written: WrittenBackup = {
    file: path,
    bytes: statSync(path).size,
    taken_at,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.length,
    verified: true,
    restore_verified: verifyRestore,
  }
  const { bytes, rows, restore_verified } = written
  const detail = { file: basename(path), taken_at, bytes, rows, restore_verified }
  await db.transaction((tx) => audit(tx, { actor, action: 'finish backup', subject: 'instance', detail }))
  return written
}

function requireNew(path: string): void {
  if (existsSync(path))
    throw new AppError('BACKUP_REFUSED', `${path} already exists. Name another file, or use --overwrite.`)
}
