/**
 * A watched folder held open: others write into it, and may put a link in its place or in a file's at any moment. What
 * is read and removed through the handle is in the folder that was looked at, whatever its path has come to mean.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'

/** Opening a fifo must not wait for a writer, nor a terminal become ours. */
export const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

export interface WatchedFolder {
  readonly folder: string
  /** Folder under which its entries are reached. */
  readonly entries: string
}

/** @throws AppError SOURCE_UNREADABLE where the folder, or one above it, is a link. */
export async function withWatchedFolder<T>(folder: string, work: (held: WatchedFolder) => Promise<T>): Promise<T> {
  const handle = await open(folder, openFlags | constants.O_DIRECTORY).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException
    throw code === 'ELOOP' ? linked(folder) : cause
  })
  try {
    const { entries, real } = await readPaths(handle, folder)
    if (real !== folder) throw linked(folder)
    return await work({ folder, entries })
  } finally {
    await handle.close()
  }
}

/** Linux reaches the entries of an open folder by its descriptor; elsewhere the path is asked again. */
async function readPaths(handle: FileHandle, folder: string): Promise<{ entries: string; real: string }> {
  if (process.platform !== 'linux') return { entries: folder, real: await realpath(folder) }
  const descriptor = join('/proc/self/fd', String(handle.fd))
  return { entries: descriptor, real: await readlink(descriptor) }
}

function linked(folder: string): AppError {
  return new AppError(
    'SOURCE_UNREADABLE',
    `The watched folder ${folder} is, or lies behind, a symbolic link, and links are not followed; name its real path.`,
  )
}
