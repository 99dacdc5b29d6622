/** Files that a command names. The messages never quote their content, which may be secret. */
import { readFileSync } from 'node:fs'
import { AppError, type ErrorCode } from '../../errors.ts'
import { fileReason } from '../faults/system-fault.ts'

/** Without the mark with which editors on Windows begin a text. @throws AppError with that code if it cannot be read. */
export function textOfFile(path: string, what = 'file', code: ErrorCode = 'CONFIG_INVALID'): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new AppError(code, `The ${what} ${path} cannot be read: ${fileReason(cause)}.`, { cause })
  }
}

/** Settings or mapping of a destination; the connector validates them. @throws AppError DESTINATION_INVALID */
export function jsonOfFile(path: string, what: string): unknown {
  const text = textOfFile(path, what, 'DESTINATION_INVALID')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('DESTINATION_INVALID', `The ${what} ${path} cannot be read: it is not valid JSON.`)
  }
}
