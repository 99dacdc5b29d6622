/**
 * What the embedded server's parallel workers share. PostgreSQL takes it of /dev/shm, of which a container has 64 MB unless told:
 * a hash join of two workers then fails as if the disk were full, and with a few of them the server does not even start.
 */
import { statfsSync } from 'node:fs'

/** Some parallel hash joins of `work_mem`, twice that for each of three processes. */
const bytesMin = 512 * 2 ** 20

/** @returns settings of the server: none where the system has room, else files of the data directory take its place. */
export function sharedMemorySettings(folder = '/dev/shm'): Readonly<Record<string, string>> {
  if (process.platform !== 'linux') return {}
  return freeBytes(folder) < bytesMin ? { dynamic_shared_memory_type: 'mmap' } : {}
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // there is none
  }
}
