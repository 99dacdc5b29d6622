/**
 * `npm run build:web`: makes `web/dist`, the pages of the console, from `web/`. `npm ci` does it too (`prepare`), and says
 * nothing; an installation without development packages has no Vite and no need: its package carries the pages.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const vite = join(root, 'node_modules', 'vite')

/** Where the pages lie once they are built, from the root of the checkout. */
export const builtPages = 'web/dist'
const madeFrom = 'made-from.txt'

/** Everything that the pages are made of: their sources, what they share with the client, and the versions of what builds them. */
function digestOfSources(): string {
  const sources = globSync('web/**/*.{ts,tsx,css,html,svg,json}', { cwd: root, exclude: [`${builtPages}/**`] })
  const digest = createHash('sha256')
  for (const path of [...sources.sort(), 'client/api-error.ts', 'package-lock.json']) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return digest.digest('hex')
}

/** Whether `web/dist` is what the sources give. */
export function isWebBuilt(): boolean {
  const stamp = join(root, builtPages, madeFrom)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources()
}

/** @param into from the root of the checkout; what lay there is gone. */
export function buildWeb(into = builtPages): void {
  const digest = digestOfSources()
  const { bin } = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8')) as { bin: { vite: string } }
  const parameters = [join(vite, bin.vite), 'build', '--config', 'web/vite.config.ts', '--outDir', join(root, into)]
  // Whoever asks, a test too: the pages are built as they ship.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, parameters, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('Vite refused web/vite.config.ts')
  // Last, so that a build that was cut off counts for none.
  writeFileSync(join(root, into, madeFrom), digest)
}

if (import.meta.main) {
  if (existsSync(vite)) buildWeb()
  else if (!process.argv.includes('--where-possible')) throw new Error('Vite is not installed: run npm ci first')
}
