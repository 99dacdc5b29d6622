/**
 * The data directory as a command finds it: created for commands that may create an instance, otherwise only inspected.
 */
import { accessSync, constants, existsSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { holdsServer, protectDataDir, serverFolders } from '../../db/embedded/location.ts'
import { unprivilegedUser } from '../../db/embedded/unprivileged-user.ts'
import { isDiskFull } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'
import { systemReason } from '../faults/system-fault.ts'
import type { CliSettings } from '../settings.ts'

/** @throws AppError NO_INSTANCE where there is no embedded database, CONFIG_INVALID for anything but a folder. */
export function requireInstance({ dataDir }: Pick<CliSettings, 'dataDir'>): void {
  withinDataDir(dataDir, () => {
    const nearest = nearestThatIs(dataDir)
    if (!statSync(nearest).isDirectory()) throw unusable(dataDir, `${nearest} is a file, not a folder`)
    if (nearest === dataDir) accessSync(dataDir, constants.X_OK)
  })
  if (holdsInstance({ dataDir })) return
  throw new AppError(
    'NO_INSTANCE',
    `There is no Panji in ${dataDir}, and this command does not create one. PANJI_DATA_DIR decides where to look (.panji in the current folder when unset). Run it where Panji runs, or create an instance there with \`panji start\` or \`panji migrate\`.`,
  )
}

/** false where there is no embedded database. */
export const holdsInstance = ({ dataDir }: Pick<CliSettings, 'dataDir'>): boolean =>
  holdsServer(dataDir) || readInstance(dataDir) !== undefined

/** Empty where there is no such folder yet. @throws AppError CONFIG_INVALID */
export const namesIn = ({ dataDir }: Pick<CliSettings, 'dataDir'>): readonly string[] =>
  withinDataDir(dataDir, () => (existsSync(dataDir) ? readdirSync(dataDir) : []))

/** Creates the folder if it is absent, and closes it to others. @throws AppError CONFIG_INVALID */
export function prepareDataDir({ dataDir, databaseUrl }: Pick<CliSettings, 'dataDir' | 'databaseUrl'>): void {
  withinDataDir(dataDir, () => {
    // With DATABASE_URL no server runs in it.
    protectDataDir(dataDir, databaseUrl ? undefined : unprivilegedUser(serverFolders(dataDir)))
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  })
}

/**
 * Creates a file and removes it: a file system that turned read-only after an error still reports to root that it is
 * writable. @throws AppError CONFIG_INVALID; a full disk is left to the check of free space.
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
