/**
 * Why the embedded server did not start: its own error, or a full disk. The server reports a full disk in many ways,
 * and not at all if its log is on that disk.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../errors.ts'

/** Less than the WAL that a server writes at start. */
const bytesMin = 16 * 2 ** 20

export function startFault(data: string, words: string, cause?: unknown): AppError {
  const folder = dirname(data)
  const full = /No space left on device|Disk quota exceeded/.test(words) ? '' : fullness(folder)
  if (full === undefined) return new AppError('DATABASE_START_FAILED', words, { cause })
  return new AppError(
    'DATABASE_FULL',
    `The embedded PostgreSQL did not start, since the disk of ${folder} is full${full}. Make room there (\`df -h\`, \`df -i\`) and start again.`,
    { cause },
  )
}

/** @returns how little space is left if it is too little for a server; undefined otherwise. */
function fullness(folder: string): string | undefined {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  if (files > 0 && ffree === 0) return ': no file can be made'
  const free = bavail * bsize
  return free < bytesMin ? `: ${(free / 2 ** 20).toFixed(1)} MiB are left` : undefined
}
