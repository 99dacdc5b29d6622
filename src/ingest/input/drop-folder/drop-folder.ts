/**
 * A watched folder: `/srv/drop` accepts every file in it, `/srv/drop/goa-*.csv` those whose names match. Hidden files
 * and files still being written, recognized by the usual names of programs, are skipped. Subfolders are not entered.
 *
 * Whoever can write to the folder is not trusted: links, hard links, pipes and devices are refused.
 */
import { constants, type Stats } from 'node:fs'
import { access, lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunMode } from '../../../../config/sources/source.ts'
import { dayOfFile } from './day-of-file.ts'
import type { WatchedFolder } from './watched-folder.ts'

const unfinished = /^\.|~$|\.(?:part|partial|filepart|tmp|temp|crdownload|download|swp)$/i

export interface DropFolder {
  /** As the schedule names it. */
  readonly input: string
  readonly folder: string
  readonly matches: (name: string) => boolean
  /** Of its files; default: as the source declares. */
  readonly mode?: RunMode
}

export interface DroppedFile {
  readonly name: string
  /** Day that it describes, YYYY-MM-DD. */
  readonly asOf: string
  /** Changes with every write. */
  readonly state: string
}

export interface FolderListing {
  /** Oldest first, by the day that a file describes and then by its name. */
  readonly files: readonly DroppedFile[]
  /** Files that match the pattern and are not accepted, with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

export const hasWildcard = (name: string): boolean => /[*?]/.test(name)

/** The path of an input that is not an http(s) address. */
export const pathOf = (input: string): string => (input.startsWith('file:') ? fileURLToPath(input) : resolve(input))

/** @returns undefined for an address, and for the path of a single file. */
export async function readDropFolder(input: string): Promise<DropFolder | undefined> {
  if (/^https?:/i.test(input)) return undefined
  const path = pathOf(input)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return { input, folder: path, matches: isWanted }
  if (found || !hasWildcard(basename(path))) return undefined
  const pattern = patternOf(basename(path))
  return { input, folder: dirname(path), matches: (name) => isWanted(name) && pattern.test(name) }
}

export async function listFolder(
  { matches }: Pick<DropFolder, 'matches'>,
  { entries }: WatchedFolder,
  { fileBytesMax, today }: { readonly fileBytesMax: number; readonly today: string },
): Promise<FolderListing> {
  const files: DroppedFile[] = []
  const refused: { name: string; reason: string }[] = []
  for (const name of (await readdir(entries)).filter(matches)) {
    // A file may disappear in the meantime; and a name that lost bytes when read as UTF-8 is not found.
    const stats = await lstat(join(entries, name)).catch(() => undefined)
    if (!stats && name.includes('\uFFFD')) refused.push({ name, reason: 'its name is not UTF-8; rename it' })
    if (!stats || stats.isDirectory()) continue
    const found = dayOfFile(name, stats.mtime, today)
    const reason = refusalOf(stats, fileBytesMax) ?? found.refusal ?? (await unreadable(join(entries, name)))
    if (reason === undefined) files.push({ name, asOf: found.day, state: stateOf(stats) })
    else refused.push({ name, reason })
  }
  return { files: files.toSorted((a, b) => compare(a.asOf, b.asOf) || compare(a.name, b.name)), refused }
}

/**
 * A hard link may point to a file that the sender cannot read and that Panji's user owns; the owner alone proves
 * nothing, since anyone, including root, may drop files.
 * @returns undefined for a file that may be accepted.
 */
export function refusalOf(stats: Stats, fileBytesMax: number): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a link'
  if (!stats.isFile()) return 'it is not a regular file'
  if (stats.nlink !== 1) return `it has ${stats.nlink} names (hard links)`
  return stats.size > fileBytesMax ? `it is larger than ${fileBytesMax} bytes (PANJI_INPUT_BYTES_MAX)` : undefined
}

export const stateOf = ({ dev, ino, size, mtimeMs }: Stats): string => `${dev}:${ino}:${size}:${mtimeMs}`

const unreadable = (path: string): Promise<string | undefined> =>
  access(path, constants.R_OK).then(
    () => undefined,
    () => 'Panji may not read it',
  )

const isWanted = (name: string): boolean => !unfinished.test(name)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function patternOf(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}
