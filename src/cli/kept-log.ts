/**
 * The log of an instance with the embedded database: the lines that `panji start` writes to standard error, also in
 * `panji.log` of the data directory, where `panji logs` reads them. Only its owner can read it, and it never exceeds
 * twice its limit: a full file becomes `panji.log.1`. A disk that is full, read-only or gone only costs lines of the
 * file.
 */
import { appendFileSync, closeSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { giveToOwnerOf } from '../db/folder-owner.ts'
import type { LogSink } from '../telemetry/log.ts'
import { systemReason } from './faults/system-fault.ts'

const bytesMax = 8 << 20

export const logFileIn = (dataDir: string): string => join(dataDir, 'panji.log')

/** @param bytes size at which a new file is started. */
export function keptLog(path: string, bytes: number = bytesMax): LogSink {
  // Created at the start, even if nothing is logged for a long time.
  create(path)
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    write(line) {
      try {
        if (size > 0 && size + line.length > bytes) {
          renameSync(path, `${path}.1`)
          size = 0
          create(path)
        }
        appendFileSync(path, line, { mode: 0o600 })
        size += Buffer.byteLength(line)
      } catch (error) {
        if (systemReason(error) === undefined) throw error
      }
    },
  }
}

function create(path: string): void {
  const file = openSync(path, 'a', 0o600)
  giveToOwnerOf(dirname(path), file)
  closeSync(file)
}
