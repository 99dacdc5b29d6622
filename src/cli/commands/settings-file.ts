/** A destination's settings from a file; the connector validates them. */
import { readFileSync } from 'node:fs'
import { AppError } from '../../errors.ts'
import { fileReason } from '../faults/system-fault.ts'

/** @throws AppError DESTINATION_INVALID */
export function readSettingsFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The parser's message may quote the file, which contains secrets.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : fileReason(error)
    throw new AppError('DESTINATION_INVALID', `The settings file ${path} cannot be read: ${reason}.`)
  }
}
