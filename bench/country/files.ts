/**
 * The files of a world, gzipped, in the registries' own formats: the first snapshot and the next night's of each
 * register, written at the same time from the same lines. Each gets its name only when it is complete.
 */
import { join } from 'node:path'
import type { SnapshotPlan } from '../../sample/generate-snapshots.ts'
import { changedLines } from './changed-lines.ts'
import { type GzipFile, openGzip } from './gzip-file.ts'
import type { Register } from './world.ts'

export const nights = ['first', 'next'] as const
export type Night = (typeof nights)[number]

/** Lines of a register in the next night's file. */
export const changedShare = 0.005

export interface WrittenFiles {
  readonly rows: number
  /** Bytes of the first file, uncompressed. */
  readonly csvBytes: number
  readonly gzipBytes: number
  readonly changed: number
  readonly seconds: number
}

export const fileOf = (folder: string, world: string, register: Register, night: Night): string =>
  join(folder, `${world}-${register}-${night}.csv.gz`)

const blockCharacters = 1 << 20

export async function writeFiles(folder: string, world: string, plan: SnapshotPlan): Promise<WrittenFiles> {
  const register = plan.source as Register
  const started = performance.now()
  const files = nights.map((night) => openGzip(fileOf(folder, world, register, night)))
  const changes = changedLines(register, changedShare)
  let first = `${plan.header}\n`
  let next = first
  let rows = 0
  for (const line of plan.lines) {
    rows++
    first += line
    next += changes.of(line)
    if (first.length < blockCharacters) continue
    await writeAll(files, [first, next])
    first = ''
    next = ''
  }
  await writeAll(files, [first, next])
  const [written] = await Promise.all(files.map((file) => file.close()))
  const seconds = Math.round((performance.now() - started) / 100) / 10
  return { rows, csvBytes: 0, gzipBytes: 0, ...written, changed: changes.count(), seconds }
}

const writeAll = (files: readonly GzipFile[], texts: readonly string[]) =>
  Promise.all(files.map((file, index) => file.write(texts[index] ?? '')))
