/**
 * Writes the files of a verified backup into a data directory and updates the runs that read them: a run names its file
 * by its path in the instance that was backed up.
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
  // Files created by root would be unreadable for the user that Panji runs as.
  if (process.geteuid?.() === 0) for (const { name } of files) handOver(folder, name)
}

const partialOf = (folder: string, { name }: File): string => join(folder, `${name}.part`)

function handOver(folder: string, name: string): void {
  const { uid, gid } = statSync(folder)
  for (let part = name; part !== '.'; part = dirname(part)) chownSync(join(folder, part), uid, gid)
}

/** Only runs that have not ended. */
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
