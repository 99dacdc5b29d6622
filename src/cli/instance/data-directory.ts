/** The data directory as a command finds it: made for whoever may make an instance, otherwise only looked at. */
import { accessSync, constants, existsSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { holdsServer, protectDataDir, serverFolders } from '../../db/embedded/location.ts'
import { unprivilegedUser } from '../../db/embedded/unprivileged-user.ts'
import { isDiskFull } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'
import { systemReason } from '../faults/system-fault.ts'
import type { CliSettings } from '../settings.ts'

/** @throws AppError NO_INSTANCE where the embedded database was never made, CONFIG_INVALID for what is no folder. */
export function requireInstance({ dataDir }: Pick<CliSettings, 'dataDir'>): void {
  withinDataDir(dataDir, () => {
    const nearest = nearestThatIs(dataDir)
    if (!statSync(nearest).isDirectory()) throw unusable(dataDir, `${nearest} is a file, not a folder`)
    if (nearest === dataDir) accessSync(dataDir, constants.X_OK)
  })
  if (holdsInstance({ dataDir })) return
  throw new AppError(
    'NO_INSTANCE',
    `No Panji lies in ${dataDir}, and this command makes none. PANJI_DATA_DIR decides where to look (.panji of the folder that the command runs in when unset). Run it where Panji runs, or make an instance there with \`panji start\` or \`panji migrate\`.`,
  )
}

/** False where the embedded database was never made. */
export const holdsInstance = ({ dataDir }: Pick<CliSettings, 'dataDir'>): boolean =>
  holdsServer(dataDir) || readInstance(dataDir) !== undefined

/** Nothing where there is no such folder yet. @throws AppError CONFIG_INVALID */
export const namesIn = ({ dataDir }: Pick<CliSettings, 'dataDir'>): readonly string[] =>
  withinDataDir(dataDir, () => (existsSync(dataDir) ? readdirSync(dataDir) : []))

/** Makes the folder where it is absent, and closes it to others. @throws AppError CONFIG_INVALID */
export function prepareDataDir({ dataDir, databaseUrl }: Pick<CliSettings, 'dataDir' | 'databaseUrl'>): void {
  withinDataDir(dataDir, () => {
    // Beside DATABASE_URL no server runs in it.
    protectDataDir(dataDir, databaseUrl ? undefined : unprivilegedUser(serverFolders(dataDir)))
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  })
}

/**
 * Makes a file and removes it: a file system that turned read-only after an error still tells root that it may write.
 * @throws AppError CONFIG_INVALID; a disk that is full is for who looks at its room.
 */
export function requireWritableFolder({ dataDir }: Pick<CliSettings, 'dataDir'>): void {
  withinDataDir(dataDir, () => {
    const probe = join(dataDir, `.writable-${process.pid}`)
    try {
      writeFileSync(probe, '')
      unlinkSync(probe)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  })
}

function withinDataDir<T>(dataDir: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = systemReason(error)
    throw reason === undefined ? error : unusable(dataDir, reason, error)
  }
}

const unusable = (dataDir: string, reason: string, cause?: unknown) =>
  new AppError('CONFIG_INVALID', `The data directory ${dataDir} (PANJI_DATA_DIR) cannot be used: ${reason}.`, { cause })

function nearestThatIs(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) || path === dirname(path)) return path
  return nearestThatIs(dirname(path))
}
