/**
 * `npm run build:web`: makes `web/dist`, the pages of the console, from `web/`. `npm ci` does it too (`prepare`), and says
 * nothing; an installation without development packages has no Vite and no need: its package carries the pages.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const vite = join(root, 'node_modules', 'vite')

export function buildWeb(): void {
  const { bin } = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8')) as { bin: { vite: string } }
  const parameters = [join(vite, bin.vite), 'build', '--config', 'web/vite.config.ts']
  // Whoever asks, a test too: the pages are built as they ship.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, parameters, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('Vite refused web/vite.config.ts')
}

if (import.meta.main) {
  if (existsSync(vite)) buildWeb()
  else if (!process.argv.includes('--where-possible')) throw new Error('Vite is not installed: run npm ci first')
}
