/** Which Panji this is: the version, from the package.json above this file: a checkout's, or an installed package's. */
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
  throw new Error('no package.json of Panji lies above its files')
}

/** The commit that this Panji was built of: what `npm run build` wrote down, or a checkout's own; `unknown` where nobody knows. */
export function buildId(): string {
  const written = new URL('../../build-id', import.meta.url)
  if (existsSync(written)) return readFileSync(written, 'utf8').trim()
  const asked = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: fileURLToPath(new URL('./', import.meta.url)),
    encoding: 'utf8',
  })
  return asked.status === 0 ? asked.stdout.trim() : 'unknown'
}
