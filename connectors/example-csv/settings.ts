/**
 * The settings of a destination: one secret. The folder's name is derived from it, so no account can name a path, and
 * without the secret none can name another account's folder.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { faultWords } from '../../src/domain/fault-words.ts'
import { AppError } from '../../src/errors.ts'
import type { ConnectorSettings } from '../contract.ts'
import { faultsOf } from '../settings-file.ts'

const Shape = z.strictObject({
  /** Chosen by the account, like a password. */
  folder_secret: z.string().min(16).max(200),
})
export type CsvSettings = z.output<typeof Shape>

/** @throws AppError DESTINATION_INVALID naming each fault and repeating no value. */
export function parseSettings(input: unknown): CsvSettings {
  const parsed = Shape.safeParse(input, { error: faultWords })
  const faults = [...faultsOf(parsed.error)]
  if (parsed.success && faults.length === 0) return parsed.data
  throw new AppError('DESTINATION_INVALID', `The settings of the folder are wrong. ${faults.join('; ')}.`, {
    extra: { faults },
  })
}

export function readSettings(input: unknown): ConnectorSettings {
  const values = parseSettings(input)
  return { remoteAccount: `example-csv:${folderNameOf(values)}`, values, secretNames: ['folder_secret'] }
}

/** 32 hexadecimal digits. */
export function folderNameOf({ folder_secret: secret }: CsvSettings): string {
  return createHash('sha256').update(`panji example-csv ${secret}`).digest('hex').slice(0, 32)
}
