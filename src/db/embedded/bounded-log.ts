/**
 * Limits the size of the embedded server's log. The server keeps the file open and appends, so the file is truncated in
 * place; its end is first saved as `postgres.log.1`, replacing the previous one. Where the file system refuses that (a full
 * disk, a file of another user), the log keeps growing until a later check succeeds, and the instance runs on.
 */
import { closeSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { writeWhole } from '../whole-file.ts'

export interface LogBound {
  readonly bytesMax: number
  readonly keptBytes: number
  readonly everyMs: number
}

const usualBound: LogBound = { bytesMax: 8 * 1024 * 1024, keptBytes: 1024 * 1024, everyMs: 5_000 }

/** @returns a function that stops watching. */
export function boundLog(path: string, bound: LogBound = usualBound): () => void {
  const check = () => {
    try {
      trimLog(path, bound)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    }
  }
  check()
  const timer = setInterval(check, bound.everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

export function trimLog(path: string, { bytesMax, keptBytes }: Pick<LogBound, 'bytesMax' | 'keptBytes'>): void {
  if (!existsSync(path)) return
  const { size } = statSync(path)
  if (size <= bytesMax) return
  const kept = Buffer.alloc(Math.min(keptBytes, size))
  const log = openSync(path, 'r')
  try {
    readSync(log, kept, 0, kept.length, size - kept.length)
  } finally {
    closeSync(log)
  }
  writeWhole(`${path}.1`, kept)
  truncateSync(path, 0)
}
