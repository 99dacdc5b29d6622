/**
 * `npm run keep-release`, once per release: packs it, installs the package in an empty folder, lets it create a
 * database with the sample world, and stores the package and a backup of that database in `releases/<version>/`. They
 * are published with the release; test/story/upgrade.test.ts upgrades from them. PANJI_RELEASES names another folder.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

export const releasesFolder = (): string => process.env['PANJI_RELEASES'] ?? join(root, 'releases')
export const packageOf = (version: string): string => `panji-${version}.tgz`
export const backupName = 'backup.tar.gz'

function run(
  command: string,
  parameters: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): void {
  const { status } = spawnSync(command, parameters, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`)
}

/** Starts the installed package on an empty data directory, and backs it up while it runs. */
async function writeBackup(installed: string, file: string): Promise<void> {
  const bin = join(installed, 'node_modules/panji/bin/panji.mjs')
  const env = { PORT: '0', PANJI_SANDBOX_PORT: '0', PANJI_DATA_DIR: join(installed, 'data'), DATABASE_URL: '' }
  const started = spawn(process.execPath, [bin, 'start'], { cwd: installed, env: { ...process.env, ...env } })
  const ended = new Promise<void>((resolve) => started.once('exit', () => resolve()))
  try {
    for await (const text of started.stdout.setEncoding('utf8')) if (String(text).includes('Ctrl-C stops.')) break
    run(process.execPath, [bin, 'backup', file, '--verify-restore', '--overwrite'], installed, env)
  } finally {
    started.kill('SIGINT')
    await ended
  }
}

async function keepRelease(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = join(releasesFolder(), version)
  mkdirSync(folder, { recursive: true })
  run('npm', ['pack', '--pack-destination', folder], root)
  const installed = mkdtempSync(join(tmpdir(), 'panji-release-'))
  try {
    writeFileSync(join(installed, 'package.json'), '{ "private": true }\n')
    run('npm', ['install', '--no-audit', '--no-fund', join(folder, packageOf(version))], installed)
    await writeBackup(installed, join(folder, backupName))
  } finally {
    rmSync(installed, { recursive: true, force: true })
  }
  console.log(`Kept in ${folder}.`)
}

if (import.meta.main) await keepRelease()
