/**
 * Restores into a data directory: everything is created in `restoring/` within it and moved up at the end, the database
 * last, so that an interrupted restore leaves nothing that looks like a complete instance. A note in `restoring/`
 * records what is being moved, so that the next restore undoes partial moves, and finishes moving the old instance
 * aside.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { configFileName } from '../../../../config/config-file.ts'
import { acquireInstance } from '../../../db/embedded/instance-lock.ts'
import { startEmbeddedServer, waitForServersOf } from '../../../db/embedded/server.ts'
import { AppError } from '../../../errors.ts'
import type { CommandContext } from '../../settings.ts'
import { holdsInstance, namesIn, prepareDataDir } from '../data-directory.ts'
import { fillDatabase, type RestoreRequest } from './fill-database.ts'
import { leadRunsHere, writeFiles } from './write-files.ts'

const workName = 'restoring'
const noteName = 'moving.json'
const Note = z.object({ names: z.array(z.string()), aside: z.string().nullable() })
const asidePrefix = 'before-restore-'

/** @returns where the earlier instance was moved, if there was one. @throws AppError BACKUP_REFUSED, DATA_DIR_IN_USE */
export async function restoreEmbedded(
  { settings }: CommandContext,
  request: RestoreRequest,
  force: boolean,
): Promise<string | null> {
  const { dataDir } = settings
  // A folder with other content is refused before it becomes the instance's own.
  if (!holdsInstance(settings) && !existsSync(join(dataDir, workName)))
    refuseOccupied(dataDir, instanceFiles(namesIn(settings)), force)
  prepareDataDir(settings)
  const lock = acquireInstance(dataDir, 'restore')
  try {
    const work = join(dataDir, workName)
    const cutAside = takeBack(work, dataDir)
    await waitForServersOf(work)
    // Its initdb, which has no pid file, may also still be writing.
    await rm(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    const there = instanceFiles(readdirSync(dataDir))
    refuseOccupied(dataDir, there, force)
    mkdirSync(work)
    const { mode, gid, uid } = statSync(dataDir)
    chownSync(work, uid, gid)
    chmodSync(work, mode & 0o777)
    const server = await startEmbeddedServer({ dataDir: work })
    try {
      await fillDatabase(server.databaseUrl, request)
      await leadRunsHere(server.databaseUrl, dataDir, request)
      await request.reached?.('filled')
    } finally {
      await server.stop()
    }
    await writeFiles(work, request.manifest.files, request.path)
    const aside =
      cutAside ?? (there.length > 0 ? `${asidePrefix}${new Date().toISOString().replaceAll(':', '-')}` : null)
    writeFileSync(join(work, noteName), JSON.stringify({ names: readdirSync(work), aside }), {
      mode: 0o600,
      flush: true,
    })
    await request.reached?.('written')
    if (aside !== null) await moveAside(dataDir, there, join(dataDir, aside), request)
    await moveUp(work, dataDir, request)
    return aside === null ? null : join(dataDir, aside)
  } finally {
    lock.release()
  }
}

/**
 * What belongs to an instance: everything but the lock, leftovers of earlier restores, and the configuration file,
 * which describes the installation and is in no backup.
 */
const instanceFiles = (names: readonly string[]): string[] =>
  names.filter(
    (name) =>
      !name.startsWith('instance.json') &&
      !name.startsWith(asidePrefix) &&
      name !== workName &&
      name !== configFileName,
  )

/** @throws AppError BACKUP_REFUSED */
function refuseOccupied(dataDir: string, there: readonly string[], force: boolean): void {
  if (there.length === 0 || force) return
  throw new AppError(
    'BACKUP_REFUSED',
    `${dataDir} (PANJI_DATA_DIR) is not empty: ${there.slice(0, 3).join(', ')}. Name another folder, or use --force, which moves its content aside.`,
  )
}

async function moveAside(
  dataDir: string,
  names: readonly string[],
  aside: string,
  { reached }: RestoreRequest,
): Promise<void> {
  mkdirSync(aside, { mode: 0o700, recursive: true })
  const { mode, gid, uid } = statSync(dataDir)
  chownSync(aside, uid, gid)
  chmodSync(aside, mode & 0o777)
  for (const name of names) {
    renameSync(join(dataDir, name), join(aside, name))
    await reached?.(`aside ${name}`)
  }
}

const isDatabase = (name: string): boolean => name === 'postgres' || name === 'postgres.location'

async function moveUp(work: string, dataDir: string, { reached }: RestoreRequest): Promise<void> {
  const names = readdirSync(work)
    .filter((name) => name !== noteName)
    .sort((a, b) => Number(isDatabase(a)) - Number(isDatabase(b)))
  for (const name of names) {
    const target = join(dataDir, name)
    if (existsSync(target)) throw new Error(`${target} appeared during the restore`)
    renameSync(join(work, name), target)
    await reached?.(`moved ${name}`)
  }
  await reached?.('moved all')
  rmSync(work, { recursive: true, force: true })
}

/**
 * Cleans up after a restore that was interrupted while it moved files: what it had moved up is removed, so that its
 * files do not look like an instance. Once the database was moved up, the instance was complete, and it is not touched.
 * @returns the folder into which it moved the old instance.
 */
function takeBack(work: string, dataDir: string): string | null {
  const note = join(work, noteName)
  if (!existsSync(note)) return null
  const { names, aside } = Note.parse(JSON.parse(readFileSync(note, 'utf8')))
  const left = names.filter((name) => existsSync(join(work, name)))
  if (!left.some(isDatabase)) return null
  for (const name of names) if (!left.includes(name)) rmSync(join(dataDir, name), { recursive: true, force: true })
  return aside
}
