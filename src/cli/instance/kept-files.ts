/** The files of the data directory that a backup takes along: keys and tokens, the sample's, and what open runs still read. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const secretNames = ['secret-key', 'secret-key.next', 'secret-key.previous', 'operator-token'] as const
const sampleNames = ['sample-world.json', 'sandbox-records.json'] as const
/** The file of an open run: `spool/<source>/taken/<id>/<name>`. */
const takenFile = /^spool\/[a-z0-9-]+\/taken\/[^/]+\/[^/]+$/

/** @param withSecrets false where the environment gives the keys. */
export function keptFiles(dataDir: string, withSecrets: boolean): { path: string; name: string }[] {
  const names = [...(withSecrets ? [...secretNames, ...sampleNames] : []), ...takenNames(dataDir)]
  return names.map((name) => ({ path: join(dataDir, name), name })).filter(({ path }) => isFile(path))
}

/** Whether a backup may name the file: nothing outside of what is kept is ever written. */
export const isKeptName = (name: string): boolean =>
  [...secretNames, ...sampleNames].some((each) => each === name) ||
  (takenFile.test(name) && !name.split('/').includes('..'))

function takenNames(dataDir: string): string[] {
  const spool = join(dataDir, 'spool')
  if (!existsSync(spool)) return []
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .map((name) => `spool/${name.replaceAll('\\', '/')}`)
    .filter((name) => takenFile.test(name))
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
