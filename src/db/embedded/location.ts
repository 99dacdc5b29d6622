/**
 * Decides where the server's binaries and data are stored.
 *
 * Normally the binaries are in node_modules and the data in `<data dir>/postgres`. If Panji runs as root, the server
 * runs under another uid, which may be unable to enter the checkout (a folder of mode 0700). Then the binaries are
 * copied and the data stored in a folder outside; `<data dir>/postgres.location` points to it, so removing the data
 * directory starts afresh.
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
import { configFileName } from '../../../config/config-file.ts'
import { AppError } from '../../errors.ts'
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
  const inside = join(dataDir, 'postgres')
  if (!existsSync(inside)) requireOutside(dataDir, user)
  if (!user) return { binaries: packaged, data: inside }
  const data = existsSync(inside) || canEnter(dataDir, user) ? inside : outsideData(dataDir)
  return { binaries: canEnter(packaged, user) ? packaged : copyBinaries(packaged), data }
}

/**
 * Restricts a new or empty data directory to its owner. If the server's data is inside and belongs to another uid, the
 * group keeps the right to enter, but not to list. One that holds other files, such as `/srv`, keeps its rights: others
 * may need what is in it, and Panji's own files are for their owner alone anyway.
 */
export function protectDataDir(dataDir: string, user: UnprivilegedUser | undefined): void {
  makeFolders(dataDir)
  const { mode, uid } = statSync(dataDir)
  const letsServerPass = user !== undefined && (existsSync(join(dataDir, 'postgres')) || canEnter(dataDir, user))
  const isOurs = uid === process.geteuid?.() || user !== undefined
  if (!isOurs || (mode & 0o777) === (letsServerPass ? 0o710 : 0o700)) return
  if (isUsed(dataDir) && !(letsServerPass && !canEnter(dataDir, user))) return
  if (letsServerPass) chownSync(dataDir, uid, user.gid)
  chmodSync(dataDir, letsServerPass ? 0o710 : 0o700)
}

/** An empty volume has `lost+found`, and settings may be written before the first start. */
const isUsed = (dataDir: string): boolean =>
  readdirSync(dataDir).some((name) => name !== 'lost+found' && name !== configFileName)

/** Folders that may hold the data of an existing server. Creates nothing. */
export function serverFolders(dataDir: string): readonly string[] {
  const outside = outsideFolder(dataDir)
  return [dataDir, ...(outside === undefined ? [] : [outside])].map((folder) => join(folder, 'postgres'))
}

/**
 * Folders that an instance writes to: its data directory and the embedded database, which may be on another disk.
 * Creates nothing.
 */
export const writtenFolders = (dataDir: string): readonly string[] => [dataDir, ...madeServers(dataDir)]

/** Whether an embedded database exists here. Creates nothing. */
export const holdsServer = (dataDir: string): boolean => madeServers(dataDir).length > 0

const madeServers = (dataDir: string) => serverFolders(dataDir).filter((data) => existsSync(join(data, 'PG_VERSION')))

/** One folder for all instances on this machine whose own folder is private. */
function outsideBase(): string {
  const base = existsSync('/var/lib') ? '/var/lib/panji' : join(tmpdir(), 'panji')
  makeFolders(base)
  // Regardless of the umask: the server runs under another uid.
  chmodSync(base, 0o755)
  return base
}

/** Every folder of the path must be searchable by that uid: as owner, group or other. */
function canEnter(path: string, user: UnprivilegedUser): boolean {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return path === dirname(path) || canEnter(dirname(path), user)
}

/**
 * @throws AppError CONFIG_INVALID where the database that the data directory names cannot be reached: an empty one would
 * be made in its place.
 */
function requireOutside(dataDir: string, user: UnprivilegedUser | undefined): void {
  const folder = outsideFolder(dataDir)
  if (folder === undefined || (user && existsSync(folder))) return
  const why = existsSync(folder) ? 'which only root uses: run Panji as root' : 'which is not there'
  throw new AppError(
    'CONFIG_INVALID',
    `The data directory ${dataDir} (PANJI_DATA_DIR) cannot be used: its database is in ${folder} (postgres.location), ${why}. An instance moves to another machine or user with \`panji backup\` and \`panji restore\`. To begin with an empty one, remove the data directory.`,
  )
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

/**
 * Copied once per version of the package; the final rename hides an incomplete copy. All users may run it, regardless
 * of the umask.
 */
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
    // Another instance finished first; its copy is identical.
    if (!existsSync(target)) throw error
    rmSync(partial, { recursive: true, force: true })
  }
  return target
}

function openToAll(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  // Everyone gets the read and execute rights that the owner has.
  chmodSync(path, found.mode | 0o044 | (found.mode & 0o100 ? 0o011 : 0))
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Creates a folder that only the server's uid may read, as initdb requires. */
export function createDataFolder(path: string, user: UnprivilegedUser | undefined): void {
  makeFolders(path)
  if (user) chownSync(path, user.uid, user.gid)
}
