/**
 * `npm run build:web`: builds the pages in `web/` into `web/dist`. `npm ci` runs it too (`prepare`), silently; an
 * installation without development packages has no Vite and needs none, because its package includes the pages.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const vite = join(root, 'node_modules', 'vite')

/** The folder of the built pages, relative to the root of the checkout. */
export const builtPages = 'web/dist'
const madeFrom = 'made-from.txt'

/**
 * Everything the pages are built from: their sources, what they share with the client, and the versions of the build
 * tools.
 */
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

/** Whether `web/dist` is up to date with its sources. */
export function isWebBuilt(): boolean {
  const stamp = join(root, builtPages, madeFrom)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources()
}

/** @param into relative to the root of the checkout; its content is replaced. */
export function buildWeb(into = builtPages): void {
  const digest = digestOfSources()
  const { bin } = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8')) as { bin: { vite: string } }
  const parameters = [join(vite, bin.vite), 'build', '--config', 'web/vite.config.ts', '--outDir', join(root, into)]
  // Also when a test builds them: the pages are built as they ship.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, parameters, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('Vite refused web/vite.config.ts')
  // Written last, so that an interrupted build does not count as fresh.
  writeFileSync(join(root, into, madeFrom), digest)
}

if (import.meta.main) {
  if (existsSync(vite)) buildWeb()
  else if (!process.argv.includes('--where-possible')) throw new Error('Vite is not installed: run npm ci first')
}
