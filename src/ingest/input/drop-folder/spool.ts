/**
 * Panji's own copies of the files of watched folders, in its data directory, which no one else can read or write:
 * `spool/<source>/incoming` has files being copied, `taken/<id>/<name>` the file of an open run, `done` and `failed`
 * those of finished ones, under their run's number.
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

/** Computes the paths only; nothing need exist. */
export function spoolOf(dataDir: string, source: string): Spool {
  const root = join(spoolRoot(dataDir), source)
  const part = (name: keyof Spool): string => join(root, name)
  return { incoming: part('incoming'), taken: part('taken'), done: part('done'), failed: part('failed') }
}

/**
 * Creates the folders of a source.
 * @throws AppError SOURCE_UNREADABLE if one of them is not Panji's own.
 */
export async function openSpool(dataDir: string, source: string): Promise<Spool> {
  const spool = spoolOf(dataDir, source)
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
  for (const path of [spoolRoot(dataDir), dirname(spool.taken), ...Object.values(spool)]) await ownFolder(path)
  return spool
}

/** Computes the path only. */
export const uploadsIn = (dataDir: string): string => join(spoolRoot(dataDir), 'uploads')

/**
 * Creates the folder of uploads.
 * @throws AppError SOURCE_UNREADABLE if it is not Panji's own.
 */
export async function openUploads(dataDir: string): Promise<string> {
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
  for (const path of [spoolRoot(dataDir), uploadsIn(dataDir)]) await ownFolder(path)
  return uploadsIn(dataDir)
}

/** Whether a run's file is in the spool, in its own folder. */
export function isSpooled(dataDir: string, source: string, path: string): boolean {
  return dirname(dirname(path)) === spoolOf(dataDir, source).taken && isOwn(dirname(path))
}

/** Whether a path is that of an upload: a file in its own folder among the uploads of this data directory. */
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

/** A name in a folder is on disk only once the folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
