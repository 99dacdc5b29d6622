/**
 * The log of an instance beside the embedded database: the lines that `panji start` writes to standard error, also in
 * `panji.log` of the data directory, where `panji logs` reads them. It is for its owner alone and never larger than twice its
 * bound: a full one becomes `panji.log.1`. A disk that is full, read-only or gone costs lines of the file, and nothing else.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LogSink } from '../telemetry/log.ts'
import { systemReason } from './faults/system-fault.ts'

const bytesMax = 8 << 20

export const logFileIn = (dataDir: string): string => join(dataDir, 'panji.log')

/** @param bytes beyond which a new file is begun. */
export function keptLog(path: string, bytes: number = bytesMax): LogSink {
  // There from the start, also where nothing is logged for long.
  appendFileSync(path, '', { mode: 0o600 })
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    write(line) {
      try {
        if (size > 0 && size + line.length > bytes) {
          renameSync(path, `${path}.1`)
          size = 0
        }
        appendFileSync(path, line, { mode: 0o600 })
        size += Buffer.byteLength(line)
      } catch (error) {
        if (systemReason(error) === undefined) throw error
      }
    },
  }
}
