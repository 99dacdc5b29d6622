/**
 * Records which data directory owns a database folder stored outside it: `owner.txt` in the folder names it, also for
 * an operator who finds the folder later. Moving a data directory keeps the database; a copy is refused, since it would
 * write to the same database.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { writeWhole } from '../whole-file.ts'

const pointerIn = (dataDir: string): string => join(dataDir, 'postgres.location')

/** @returns undefined if the server's data is in the data directory, or does not exist yet. */
export function outsideFolder(dataDir: string): string | undefined {
  const pointer = pointerIn(dataDir)
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined
}

export const nameOutside = (dataDir: string, folder: string): void =>
  writeWhole(pointerIn(dataDir), `${folder}\n`, 0o644)

/** @throws AppError CONFIG_INVALID if another existing data directory uses the folder, too. */
export function claimOutside(folder: string, dataDir: string): void {
  const path = join(folder, 'owner.txt')
  const owner = existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
  if (owner === dataDir) return
  if (owner !== undefined && outsideFolder(owner) === folder && realpathSync(owner) !== realpathSync(dataDir)) {
    throw new AppError(
      'CONFIG_INVALID',
      `The data directory ${dataDir} (PANJI_DATA_DIR) cannot be used: it is a copy of ${owner}, and both name the one database in ${folder}. Copy an instance with \`panji backup\` and \`panji restore\`.`,
    )
  }
  if (existsSync(folder)) writeWhole(path, `${dataDir}\n`, 0o644)
}
