/**
 * The secret key, the operator token and the passwords of the embedded database's roles: from the environment,
 * otherwise generated once into the data directory. A rotation of the generated key uses three files: `secret-key`,
 * `secret-key.next` while it runs, and `secret-key.previous` for databases restored from before it. A process reads
 * them again when it meets an unknown key ID, so that a running one follows the rotation.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../db/make-folders.ts'
import type { AppRole } from '../../db/roles.ts'
import { writeDraft, writeWhole } from '../../db/whole-file.ts'
import { Secret } from '../../domain/secret.ts'
import { SecretKeyChain } from '../../secrets/key-chain.ts'
import type { CliSettings } from '../settings.ts'

type SecretFile =
  | 'secret-key'
  | 'secret-key.next'
  | 'secret-key.previous'
  | 'operator-token'
  | `database-password-${AppRole}`

export function secretOf(given: Secret | undefined, dataDir: string, name: SecretFile): Secret {
  if (given) return given
  makeFolders(dataDir)
  const path = join(dataDir, name)
  if (!existsSync(path)) {
    // Linking a finished draft lets two processes that start at once agree on one secret.
    const draft = writeDraft(path, `${randomBytes(32).toString('base64url')}\n`)
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return new Secret(readFileSync(path, 'utf8').trim())
}

/** The token of the operator `default`, for processes that people reach over HTTP. */
export const operatorTokenOf = ({ operatorToken, dataDir }: Pick<CliSettings, 'operatorToken' | 'dataDir'>): Secret =>
  secretOf(operatorToken, dataDir, 'operator-token')

type KeySettings = Pick<CliSettings, 'dataDir' | 'secretKey' | 'nextSecretKey'>

/** The key of the environment and the next one, or those of the data directory. */
export function secretKeysOf({ dataDir, secretKey, nextSecretKey }: KeySettings): SecretKeyChain {
  const others = nextSecretKey ? [nextSecretKey] : []
  if (secretKey) return new SecretKeyChain(secretKey, others)
  const files = ['secret-key', 'secret-key.next', 'secret-key.previous'] as const
  return new SecretKeyChain(secretOf(undefined, dataDir, 'secret-key'), others, () =>
    files.filter((name) => existsSync(join(dataDir, name))).map((name) => secretOf(undefined, dataDir, name)),
  )
}

/** The new key of a rotation in the data directory; an interrupted rotation continues with its own. */
export const nextSecretKeyOf = (dataDir: string): Secret => secretOf(undefined, dataDir, 'secret-key.next')

/**
 * Called after the rotation is committed. If interrupted at any point, the files still open the database, and the next
 * rotation completes it.
 */
export function adoptNextSecretKey(dataDir: string): void {
  writeWhole(join(dataDir, 'secret-key.previous'), readFileSync(join(dataDir, 'secret-key')))
  renameSync(join(dataDir, 'secret-key.next'), join(dataDir, 'secret-key'))
}
