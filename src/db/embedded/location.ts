/**
 * Decides where the server's binaries and data lie.
 *
 * Normally: binaries in node_modules, data in `<data dir>/postgres`. As root the server runs under another uid,
 * which may be unable to enter the checkout (a folder of mode 0700). Then both lie in a folder of their own
 * outside, and `<data dir>/postgres.location` points to it; a removed data directory therefore starts afresh.
 */
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { UnprivilegedUser } from './unprivileged-user.ts'

export interface ServerLocation {
  /** Folder with bin/, lib/ and share/. */
  readonly binaries: string
  /** PostgreSQL's data directory. */
  readonly data: string
}

export function locateServer(dataDir: string, packaged: string, user: UnprivilegedUser | undefined): ServerLocation {
  if (!user) return { binaries: packaged, data: join(dataDir, 'postgres') }
  if (existsSync(join(dataDir, 'postgres')) || canEnter(dataDir, user)) {
    const binaries = canEnter(packaged, user) ? packaged : copyBinaries(packaged, join(dataDir, 'postgres-server'))
    return { binaries, data: join(dataDir, 'postgres') }
  }
  const outside = outsideFolder(dataDir)
  return { binaries: copyBinaries(packaged, join(outside, 'server')), data: join(outside, 'postgres') }
}

/** Every folder on the way must be searchable by that uid: owner, group or others. */
function canEnter(path: string, user: UnprivilegedUser): boolean {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return path === dirname(path) || canEnter(dirname(path), user)
}

function outsideFolder(dataDir: string): string {
  const pointer = join(dataDir, 'postgres.location')
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim()
  const base = existsSync('/var/lib') ? '/var/lib/panji' : join(tmpdir(), 'panji')
  mkdirSync(base, { recursive: true, mode: 0o755 })
  const folder = join(base, randomBytes(8).toString('hex'))
  mkdirSync(folder, { mode: 0o755 })
  // Says whose it is, so that an operator who finds the folder later can tell.
  writeFileSync(join(folder, 'owner.txt'), `${dataDir}\n`)
  writeFileSync(pointer, `${folder}\n`)
  return folder
}

/** Copies once per version of the package; the rename makes a half-finished copy invisible. */
function copyBinaries(packaged: string, target: string): string {
  const version = readFileSync(join(packaged, '..', 'package.json'), 'utf8')
  const stamp = join(target, 'package.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return target
  const partial = `${target}.partial`
  rmSync(partial, { recursive: true, force: true })
  cpSync(packaged, partial, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(partial, 'package.json'), version)
  rmSync(target, { recursive: true, force: true })
  renameSync(partial, target)
  return target
}

/** Creates a folder that only the server's uid may read, as initdb demands. */
export function createDataFolder(path: string, user: UnprivilegedUser | undefined): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
}
