/**
 * The share of the country that fits the free disk: files of two nights, and the database at its peak with PostgreSQL's
 * working space.
 */
import { statfsSync } from 'node:fs'
import { keptFreeBytes } from './watch.ts'

/** For the whole country. */
const csvBytes = 12e9
/** Per byte of CSV: two gzipped files of it, and the database with its WAL while the last register is loaded. */
const bytesPerByte = 0.5 + 5.2

/** @returns the requested share, or the largest that leaves space for other work. */
export function affordableShare(folder: string, wanted: number): number {
  const { bavail, bsize } = statfsSync(folder)
  const room = Math.max(0, bavail * bsize - keptFreeBytes)
  return Math.min(wanted, Math.floor((room / (csvBytes * bytesPerByte)) * 1000) / 1000)
}
