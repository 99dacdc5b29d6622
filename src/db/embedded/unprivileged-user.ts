/**
 * PostgreSQL refuses to run as root, so a root process runs it under the uid of an unprivileged account: the owner of
 * existing data, or else the first account that exists.
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'

export interface UnprivilegedUser {
  readonly uid: number
  readonly gid: number
}

/**
 * @param dataFolders possible locations of the server's data, existing or not.
 * @returns undefined if this process is not root: the server then runs as the same user.
 */
export function unprivilegedUser(dataFolders: readonly string[] = []): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const data of dataFolders) {
    const version = statSync(join(data, 'PG_VERSION'), { throwIfNoEntry: false })
    if (version && version.uid > 0) return { uid: version.uid, gid: version.gid }
  }
  // initdb looks up its user's name, so the account must exist; `nobody` exists on every Linux.
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined && uid > 0) return { uid, gid }
  }
  throw new AppError(
    'DATABASE_START_FAILED',
    'PostgreSQL does not run as root and neither the account "postgres" nor "nobody" exists. Create one, run Panji as another user, or set DATABASE_URL.',
  )
}

function idOf(flag: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(
      execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim(),
    )
  } catch {
    return undefined
  }
}
