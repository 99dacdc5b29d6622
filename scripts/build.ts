/**
 * `npm run build`: turns the checkout into what a package contains. Node does not strip types inside node_modules, so a
 * package ships JavaScript: `dist/` of Panji with the console's pages, `client/dist/` of the client (`build.ts package`
 * or `build.ts client` builds one, as each package's `prepack` does). A checkout never runs from there. Both folders
 * are rebuilt from scratch each time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './build-web.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What the compiler does not copy: statements and data files next to the code that reads them. */
export const dataFiles: readonly string[] = ['{config,connectors,jobs,src}/**/*.{sql,md,html}', 'migrations/**/*.sql']

export function buildPackage(): void {
  compile('tsconfig.build.json', 'dist')
  for (const path of globSync([...dataFiles], { cwd: root })) cpSync(join(root, path), join(root, 'dist', path))
  writeFileSync(join(root, 'dist', 'build-id'), `${commit()}\n`)
  buildWeb()
  cpSync(join(root, 'web/dist'), join(root, 'dist/web/dist'), { recursive: true })
}

export function buildClient(): void {
  compile('client/tsconfig.build.json', 'client/dist')
}

/** The commit of the package, as `panji_build_info` reports it; PANJI_BUILD where there is no checkout. */
function commit(): string {
  const named = process.env['PANJI_BUILD']
  if (named) return named
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}

function compile(project: string, out: string): void {
  rmSync(join(root, out), { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, [compiler(), '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`the compiler refused ${project}`)
  if (!statSync(join(root, out), { throwIfNoEntry: false })) throw new Error(`the compiler wrote no ${out}`)
}

function compiler(): string {
  const folder = join(root, 'node_modules', 'typescript')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: { tsc: string } }
  return join(folder, bin.tsc)
}

if (import.meta.main) {
  const [part] = process.argv.slice(2)
  if (part !== 'client') buildPackage()
  if (part !== 'package') buildClient()
}
