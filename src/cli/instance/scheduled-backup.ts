/**
 * The scheduled backup: a new file in the backup folder, its restore tested where the login may, and only then the
 * oldest files removed, so that a failed night costs no backup.
 */
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileOfDraft, isAbandoned } from '../../backup/drafts.ts'
import type { Db } from '../../db/db.ts'
import { makeFolders } from '../../db/make-folders.ts'
import { AppError } from '../../errors.ts'
import type { CliSettings } from '../settings.ts'
import { type BackUpRequest, backUp, type WrittenBackup } from './back-up.ts'
import type { OpenInstance } from './open-instance.ts'
import { mayTryRestore } from './restore/try-restore.ts'
import { isOwner } from './role-connections.ts'

const written = /^panji-\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz$/

/** @returns undefined where no folder is configured. */
export function scheduledBackup(
  instance: Pick<OpenInstance, 'db' | 'databaseUrl'>,
  settings: Pick<CliSettings, 'databaseUrl' | 'dataDir' | 'backups'>,
  actor: BackUpRequest['actor'] = 'system',
): ((signal?: AbortSignal) => Promise<WrittenBackup & { readonly removed: readonly string[] }>) | undefined {
  const { dir, kept } = settings.backups
  if (dir === undefined) return undefined
  return async (signal) => {
    await requireOwner(instance.db)
    makeFolders(dir)
    const path = join(dir, `panji-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`)
    const verifyRestore = await mayTryRestore(instance.db)
    const backup = await backUp(instance, settings, { path, overwrite: false, verifyRestore, actor, signal })
    return { ...backup, removed: await removeOldest(dir, kept, basename(path)) }
  }
}

/**
 * A backup reads every table, past the policies that keep a worker's login from keys and other accounts' rows, so only
 * the owner can write it. @throws AppError BACKUP_REFUSED
 */
export async function requireOwner(db: Db): Promise<void> {
  if (await isOwner(db)) return
  throw new AppError(
    'BACKUP_REFUSED',
    "PANJI_BACKUP_DIR is set, but the login of this worker may not read every table. Unset it and run `panji backup` as the owner from a timer of the machine (ops/systemd/panji-backup.timer), or give the worker the owner's login.",
  )
}

/**
 * Also removes drafts of killed processes. The newest is the one just written, even if a clock that was ahead dated
 * earlier ones later.
 */
async function removeOldest(dir: string, kept: number, newest: string): Promise<string[]> {
  const names = (await readdir(dir)).toSorted().toReversed()
  const others = names.filter((name) => written.test(name) && name !== newest)
  const removed = others.slice(Math.max(0, kept - 1))
  for (const name of names) {
    if (written.test(fileOfDraft(name) ?? '') && (await isAbandoned(join(dir, name)))) removed.push(name)
  }
  for (const name of removed) await rm(join(dir, name), { force: true })
  return removed
}
