/**
 * Panji's own copies of the files of watched folders, in its data directory where nobody else may look or write:
 * `spool/<source>/incoming` holds what is being copied, `taken/<id>/<name>` the file of an open run, `done` and `failed`
 * those of ended ones, under their run's number.
 */
import { lstatSync } from 'node:fs'
import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { AppError } from '../../../errors.ts'

export interface Spool {
  readonly incoming: string
  readonly taken: string
  readonly done: string
  readonly failed: string
}

export const spoolRoot = (dataDir: string): string => join(resolve(dataDir), 'spool')

/** Paths alone; nothing needs to be there. */
export function spoolOf(dataDir: string, source: string): Spool {
  const root = join(spoolRoot(dataDir), source)
  const part = (name: keyof Spool): string => join(root, name)
  return { incoming: part('incoming'), taken: part('taken'), done: part('done'), failed: part('failed') }
}

/** Makes the folders of a source. @throws AppError SOURCE_UNREADABLE where one of them is not Panji's own. */
export async function openSpool(dataDir: string, source: string): Promise<Spool> {
  const spool = spoolOf(dataDir, source)
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
  for (const path of [spoolRoot(dataDir), dirname(spool.taken), ...Object.values(spool)]) await ownFolder(path)
  return spool
}

/** Path alone. */
export const uploadsIn = (dataDir: string): string => join(spoolRoot(dataDir), 'uploads')

/** Makes the folder of uploads. @throws AppError SOURCE_UNREADABLE where it is not Panji's own. */
export async function openUploads(dataDir: string): Promise<string> {
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
  for (const path of [spoolRoot(dataDir), uploadsIn(dataDir)]) await ownFolder(path)
  return uploadsIn(dataDir)
}

/** Whether a run's file lies in the spool, in a folder of its own. */
export function isTaken(dataDir: string, source: string, path: string): boolean {
  return dirname(dirname(path)) === spoolOf(dataDir, source).taken && isOwn(dirname(path))
}

/** Whether a path is that of an upload: a file in a folder of its own among the uploads of this data directory. */
export const isUpload = (dataDir: string, path: string): boolean =>
  dirname(dirname(resolve(path))) === uploadsIn(dataDir)

export const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  })
  if (!isOwn(path)) {
    throw new AppError(
      'SOURCE_UNREADABLE',
      `${path} must be a folder of the user that Panji runs as, and no link; nothing was taken.`,
    )
  }
  if (((await lstat(path)).mode & 0o077) !== 0) await chmod(path, 0o700)
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid)
}

/** A name in a folder is on disk once the folder is. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
