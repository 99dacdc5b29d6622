/**
 * The files of a checked backup in a data directory, and the runs that read them led there: a run names its file by where it
 * lay in the instance that the backup was taken from.
 */
import { chownSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { backupMembers, partOf } from '../../../backup/check-backup.ts'
import type { Manifest } from '../../../backup/manifest.ts'
import { brokenBackup } from '../../../backup/tar.ts'
import { openDb } from '../../../db/db.ts'
import { makeFolders } from '../../../db/make-folders.ts'
import { finishedStatuses } from '../../../ingest/run/transitions.ts'
import { isKeptName, isRunFile } from '../kept-files.ts'
import type { RestoreRequest } from './fill-database.ts'

type File = Manifest['files'][number]

export const runFilesOf = ({ files }: Manifest): File[] => files.filter(({ name }) => isRunFile(name))

/** @throws AppError BACKUP_INVALID for a file that no instance has. */
export async function writeFiles(folder: string, files: readonly File[], path: string): Promise<void> {
  const byEntry = new Map<string, File>()
  for (const file of files) {
    if (!isKeptName(file.name)) throw brokenBackup(`it holds a file ${file.name}, which no instance has`)
    byEntry.set(file.entry, file)
    rmSync(partialOf(folder, file), { force: true })
  }
  for await (const { name, body } of backupMembers(path)) {
    const file = byEntry.get(partOf(name).entry)
    if (!file) continue
    makeFolders(dirname(join(folder, file.name)))
    const written = await open(partialOf(folder, file), 'a', 0o600)
    await written.writeFile(body)
    await written.sync()
    await written.close()
  }
  for (const file of files) renameSync(partialOf(folder, file), join(folder, file.name))
  // Made by root, they would be closed to the user that Panji runs as.
  if (process.geteuid?.() === 0) for (const { name } of files) handOver(folder, name)
}

const partialOf = (folder: string, { name }: File): string => join(folder, `${name}.part`)

function handOver(folder: string, name: string): void {
  const { uid, gid } = statSync(folder)
  for (let part = name; part !== '.'; part = dirname(part)) chownSync(join(folder, part), uid, gid)
}

/** Of runs that are not at their end. */
export async function leadRunsHere(databaseUrl: string, dataDir: string, { manifest }: RestoreRequest): Promise<void> {
  const names = runFilesOf(manifest).map(({ name }) => name)
  if (names.length === 0) return
  const db = openDb({
    connectionString: databaseUrl,
    applicationName: `panji:${process.pid}:restore`,
    connectionsMax: 1,
  })
  try {
    await db.execute(
      `UPDATE ingest.run SET input = $1 || '/' || name FROM unnest($2::text[]) AS name
       WHERE right(input, length(name) + 1) = '/' || name AND NOT status = ANY ($3)`,
      [resolve(dataDir), names, finishedStatuses],
    )
  } finally {
    await db.close()
  }
}
