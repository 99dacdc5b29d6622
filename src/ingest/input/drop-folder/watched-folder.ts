/**
 * A watched folder held open: others write to it, and may replace it or a file in it by a link at any moment. Reads and
 * removals through the handle affect the folder that was polled, whatever its path points to by then.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'

/** Opening a fifo must not wait for a writer, nor make a terminal ours. */
export const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

export interface WatchedFolder {
  readonly folder: string
  /** Path by which its entries are accessed. */
  readonly entries: string
}

/** @throws AppError SOURCE_UNREADABLE if the folder, or one above it, is a link. */
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

/** On Linux, the entries of an open folder are accessed through its descriptor; elsewhere through the path. */
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
