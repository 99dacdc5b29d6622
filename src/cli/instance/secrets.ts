/**
 * The secret key and the operator token: given by the environment, otherwise generated once into the data directory, as
 * are the passwords of the embedded database's roles.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppRole } from '../../db/roles.ts'
import { Secret } from '../../domain/secret.ts'

type SecretName = 'secret-key' | 'operator-token' | `database-password-${AppRole}`

export function secretOf(given: Secret | undefined, dataDir: string, name: SecretName): Secret {
  if (given) return given
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  if (!existsSync(path)) {
    // Linking a finished draft lets two processes that start at once agree on one secret.
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
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
