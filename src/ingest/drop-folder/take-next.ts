/**
 * One look into a watched folder: what has ended is filed away, and the oldest whole file is moved to `taken/` and
 * becomes a run. One file at a time, so that they are applied in the order of their days; its end asks for the next.
 *
 * One process looks at a time. A process that dies between the move and the run's row leaves a taken file without a
 * run; the next look gives it one.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { requestRun } from '../request-run.ts'
import { findOpenRun } from '../runs.ts'
import { dayOfFile } from './day-of-file.ts'
import { type DropFolder, type DroppedFile, look, parts } from './drop-folder.ts'
import { fileAway } from './file-away.ts'

/** Class of the advisory locks that a process holds while it looks into a folder. */
const lockClass = 0x64726f70

export interface TakeDependencies {
  readonly db: Db
  readonly queue: JobSender
  readonly signal: AbortSignal
  /** How long a file must stay as it is to count as whole. */
  readonly settleMs: number
}

export type Look =
  | { readonly kind: 'taken'; readonly file: string; readonly runId: number }
  /** No file is there, or none is whole yet. */
  | { readonly kind: 'nothing'; readonly unfinished: number }
  /** A run of the source is open; its end, or the next slot, looks again. */
  | { readonly kind: 'waits'; readonly openRunId: number }
  /** Another process is looking. */
  | { readonly kind: 'watched' }

/** @throws AppError SOURCE_UNREADABLE for a folder that is not there or may not be written. */
export async function takeNext(deps: TakeDependencies, source: string, drop: DropFolder): Promise<Look> {
  return deps.db.withConnection(async (connection) => {
    const key = [lockClass, drop.folder]
    const [lock] = await connection.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
      key,
    )
    if (lock?.taken !== true) return { kind: 'watched' }
    try {
      return await underLock(deps, source, drop)
    } catch (cause) {
      throw named(drop, cause)
    } finally {
      // A connection that broke is closed by its pool, and the server then frees the lock by itself.
      await connection.execute('SELECT pg_advisory_unlock($1, hashtext($2))', key).catch(() => 0)
    }
  })
}

async function underLock(deps: TakeDependencies, source: string, drop: DropFolder): Promise<Look> {
  const { db } = deps
  const orphan = await withoutRun(db, drop)
  const openRunId = await findOpenRun(db, source)
  if (openRunId !== undefined) return { kind: 'waits', openRunId }
  if (orphan !== undefined) return request(deps, source, drop, orphan)
  const first = await look(drop)
  if (first.length === 0) return { kind: 'nothing', unfinished: 0 }
  await delay(deps.settleMs, undefined, { signal: deps.signal })
  const before = new Map(first.map(({ name, state }) => [name, state]))
  const second = await look(drop)
  const whole = second.filter(({ name, state }) => before.get(name) === state)
  const [next] = whole
  if (!next) return { kind: 'nothing', unfinished: second.length }
  return request(deps, source, drop, await take(drop, next))
}

/** The name is kept; a folder of its own keeps it apart from an earlier file of the same name. */
async function take({ folder }: DropFolder, { name, path }: DroppedFile): Promise<string> {
  const place = join(folder, parts.taken, randomBytes(6).toString('hex'))
  await mkdir(place, { recursive: true })
  await rename(path, join(place, name))
  return join(place, name)
}

async function request({ db, queue }: TakeDependencies, source: string, drop: DropFolder, path: string): Promise<Look> {
  const file = basename(path)
  const asOf = dayOfFile(file, (await stat(path)).mtime)
  const { runId } = await db.transaction((tx) =>
    requestRun(tx, queue, { source, input: path, asOf, requestedBy: 'schedule', dropFolder: drop.input }),
  )
  return { kind: 'taken', file, runId }
}

/** Files away what has ended. @returns a taken file that has no run yet. */
async function withoutRun(db: Queryable, drop: DropFolder): Promise<string | undefined> {
  const taken = join(drop.folder, parts.taken)
  for (const place of await foldersIn(taken)) {
    const [name] = await readdir(join(taken, place))
    if (name === undefined) continue
    const path = join(taken, place, name)
    const [run] = await db.query<{ runId: number }>(
      `SELECT run_id AS "runId" FROM ingest.run WHERE input = $1 AND drop_folder IS NOT NULL`,
      [path],
    )
    if (run) await fileAway(db, run.runId)
    else if (drop.matches(name)) return path
  }
  return undefined
}

/** None where nothing has been taken yet. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function named({ folder }: DropFolder, cause: unknown): unknown {
  const code = (cause as { code?: unknown } | null)?.code
  if (
    !(cause instanceof Error) ||
    typeof code !== 'string' ||
    !/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EXDEV)$/.test(code)
  ) {
    return cause
  }
  return new AppError(
    'SOURCE_UNREADABLE',
    `The watched folder ${folder} must be there and be writable: ${cause.message}.`,
    {
      cause,
    },
  )
}
