/**
 * Decides where the server's binaries and data lie.
 *
 * Normally: binaries in node_modules, data in `<data dir>/postgres`. As root the server runs under another uid,
 * which may be unable to enter the checkout (a folder of mode 0700). Then the binaries are copied, and the data lies, in
 * a folder outside; `<data dir>/postgres.location` points to it, so a removed data directory starts afresh.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolders } from '../make-folders.ts'
import { claimOutside, nameOutside, outsideFolder } from './outside-owner.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

export interface ServerLocation {
  /** Folder with bin/, lib/ and share/. */
  readonly binaries: string
  /** PostgreSQL's data directory. */
  readonly data: string
}

export function locateServer(dataDir: string, packaged: string, user: UnprivilegedUser | undefined): ServerLocation {
  if (!user) return { binaries: packaged, data: join(dataDir, 'postgres') }
  const data =
    existsSync(join(dataDir, 'postgres')) || canEnter(dataDir, user) ? join(dataDir, 'postgres') : outsideData(dataDir)
  return { binaries: canEnter(packaged, user) ? packaged : copyBinaries(packaged), data }
}

/**
 * Makes the data directory its owner's alone. Where the server's uid lies in it already it must still get through:
 * then its group may pass, and not look.
 */
export function protectDataDir(dataDir: string, user: UnprivilegedUser | undefined): void {
  makeFolders(dataDir)
  const { mode, uid } = statSync(dataDir)
  const letsServerPass = user !== undefined && (existsSync(join(dataDir, 'postgres')) || canEnter(dataDir, user))
  const isOurs = uid === process.geteuid?.() || user !== undefined
  if (!isOurs || (mode & 0o777) === (letsServerPass ? 0o710 : 0o700)) return
  if (letsServerPass) chownSync(dataDir, uid, user.gid)
  chmodSync(dataDir, letsServerPass ? 0o710 : 0o700)
}

/** Where a server's data can lie that was made here before; nothing is made by asking. */
export function serverFolders(dataDir: string): readonly string[] {
  const outside = outsideFolder(dataDir)
  return [dataDir, ...(outside === undefined ? [] : [outside])].map((folder) => join(folder, 'postgres'))
}

/** Where an instance writes: its data directory, and the embedded database, which may lie on another disk. Nothing is made by asking. */
export const writtenFolders = (dataDir: string): readonly string[] => [dataDir, ...madeServers(dataDir)]

/** Whether the embedded database was made here before; nothing is made by asking. */
export const holdsServer = (dataDir: string): boolean => madeServers(dataDir).length > 0

const madeServers = (dataDir: string) => serverFolders(dataDir).filter((data) => existsSync(join(data, 'PG_VERSION')))

/** One folder for all instances of this machine whose own folder is private. */
function outsideBase(): string {
  const base = existsSync('/var/lib') ? '/var/lib/panji' : join(tmpdir(), 'panji')
  makeFolders(base)
  // Whatever the umask: the server runs under another uid.
  chmodSync(base, 0o755)
  return base
}

/** Every folder on the way must be searchable by that uid: owner, group or others. */
function canEnter(path: string, user: UnprivilegedUser): boolean {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return path === dirname(path) || canEnter(dirname(path), user)
}

function outsideData(dataDir: string): string {
  const named = outsideFolder(dataDir)
  const folder = named ?? makeOutside()
  claimOutside(folder, dataDir)
  if (named === undefined) nameOutside(dataDir, folder)
  return join(folder, 'postgres')
}

function makeOutside(): string {
  const folder = join(outsideBase(), randomBytes(8).toString('hex'))
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  return folder
}

/** Copies once per version of the package; the rename makes a half-finished copy invisible. Anybody may run it, whatever the umask. */
function copyBinaries(packaged: string): string {
  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as { version: string }
  const target = join(outsideBase(), `server-${version}`)
  if (existsSync(target)) return target
  const partial = `${target}.${process.pid}`
  cpSync(packaged, partial, { recursive: true, verbatimSymlinks: true })
  openToAll(partial)
  try {
    renameSync(partial, target)
  } catch (error) {
    // Another instance was faster; its copy is as good.
    if (!existsSync(target)) throw error
    rmSync(partial, { recursive: true, force: true })
  }
  return target
}

function openToAll(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  // Whoever may run or enter it as its owner: so may all.
  chmodSync(path, found.mode | 0o044 | (found.mode & 0o100 ? 0o011 : 0))
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Creates a folder that only the server's uid may read, as initdb demands. */
export function createDataFolder(path: string, user: UnprivilegedUser | undefined): void {
  makeFolders(path)
  if (user) chownSync(path, user.uid, user.gid)
}
