/** The version of Panji, from the package.json above this file: a checkout's, or an installed package's. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function panjiVersion(): string {
  for (const above of ['../../package.json', '../../../package.json']) {
    const path = new URL(above, import.meta.url)
    if (!existsSync(path)) continue
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
    if (name === 'panji' && version !== undefined) return version
  }
  throw new Error('found no package.json of Panji above its files')
}

/**
 * The commit that this Panji was built from: recorded by `npm run build`, or the checkout's own; `unknown` otherwise.
 */
export function buildId(): string {
  const written = new URL('../../build-id', import.meta.url)
  if (existsSync(written)) return readFileSync(written, 'utf8').trim()
  const git = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: fileURLToPath(new URL('./', import.meta.url)),
    encoding: 'utf8',
  })
  return git.status === 0 ? git.stdout.trim() : 'unknown'
}
