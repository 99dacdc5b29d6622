/** The version of this Panji, from the package.json above this file: a checkout's, or an installed package's. */
import { existsSync, readFileSync } from 'node:fs'

export function panjiVersion(): string {
  for (const above of ['../../package.json', '../../../package.json']) {
    const path = new URL(above, import.meta.url)
    if (!existsSync(path)) continue
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
    if (name === 'panji' && version !== undefined) return version
  }
  throw new Error('no package.json of Panji lies above its files')
}
