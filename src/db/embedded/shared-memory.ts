/**
 * Memory shared by the embedded server's parallel workers. PostgreSQL takes it from /dev/shm, which has 64 MB in a
 * container by default: a hash join of two workers then fails as if the disk were full, and with a little less the
 * server does not even start.
 */
import { statfsSync } from 'node:fs'

/** Enough for several parallel hash joins: twice `work_mem` for each of three processes. */
const bytesMin = 512 * 2 ** 20

/** @returns server settings: none if /dev/shm is large enough, else files in the data directory replace it. */
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
