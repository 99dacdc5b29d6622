/**
 * Decides whether a folder may become, or is, a data directory: Panji closes its data directory to everybody else, so
 * it takes none in which others keep their files, such as /srv or a home.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { configFileName } from '../../../config/config-file.ts'

/** At the root of a volume there is one even if it is empty. */
export const isOfFileSystem = (name: string): boolean => name === 'lost+found'

/** Only names that nothing but Panji uses: /var has a spool, too. */
const ownNames: readonly string[] = [
  ...['instance.json', 'postgres.location', join('postgres', 'PG_VERSION'), 'database-password'],
  ...['secret-key', 'operator-token', 'panji.log', 'audit-head.json', 'sample-world.json', configFileName],
]

/** @returns the names in a folder that holds other files and none of Panji's. */
export function foreignFiles(folder: string): readonly string[] {
  if (ownNames.some((name) => existsSync(join(folder, name)))) return []
  return readdirSync(folder).filter((name) => !isOfFileSystem(name))
}
