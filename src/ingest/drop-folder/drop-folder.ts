/**
 * A watched folder: `/srv/drop` takes every file in it, `/srv/drop/goa-*.csv` those whose names fit. Files that are on
 * their way under the names that programs use for it, and hidden ones, are left alone. Folders below are not entered.
 */
import type { Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dayOfFile } from './day-of-file.ts'

/** Folders that Panji makes inside a watched one. */
export const parts = { taken: 'taken', done: 'done', failed: 'failed' } as const

const unfinished = /^\.|~$|\.(?:part|partial|filepart|tmp|temp|crdownload|download|swp)$/i

export interface DropFolder {
  /** As the schedule names it. */
  readonly input: string
  readonly folder: string
  readonly matches: (name: string) => boolean
}

export interface DroppedFile {
  readonly name: string
  readonly path: string
  /** Day that it describes, YYYY-MM-DD. */
  readonly asOf: string
  /** Changes with every write. */
  readonly state: string
}

export const hasWildcard = (name: string): boolean => /[*?]/.test(name)

/** The path of an input that is no http(s) address. */
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

/** Oldest first, by the day that a file describes and then by its name. */
export async function look({ folder, matches }: DropFolder): Promise<DroppedFile[]> {
  const names = (await readdir(folder)).filter(matches)
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await lstatOf(join(folder, name)) })))
  const files = found.flatMap(({ name, stats }) => (stats?.isFile() ? [dropped(folder, name, stats)] : []))
  return files.toSorted((a, b) => compare(a.asOf, b.asOf) || compare(a.name, b.name))
}

function dropped(folder: string, name: string, stats: Stats): DroppedFile {
  const { ino, size, mtimeMs } = stats
  return { name, path: join(folder, name), asOf: dayOfFile(name, stats.mtime), state: `${ino}:${size}:${mtimeMs}` }
}

/** A file may go between two questions. */
const lstatOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined)

const isWanted = (name: string): boolean => !unfinished.test(name)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function patternOf(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
}
