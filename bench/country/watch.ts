/**
 * The peak usage of a load, sampled every other second: bytes of the database's folder by purpose, memory of the server
 * and of the worker with its children, and free disk space, which it never lets run out.
 */
import type { Dirent } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../src/db/db.ts'
import { memoryOf, runningProcesses, type ServerMemory, serverMemory } from './memory.ts'

/** Reserved for other work of the machine. */
export const keptFreeBytes = 10 * 2 ** 30
/** A sample costs some hundredths of a second of processor time. */
const everyMs = 2000

export interface Peaks {
  /** Tables and indexes, including those of the run, of all databases of the server. */
  readonly tableBytes: number
  readonly temporaryBytes: number
  readonly walBytes: number
  /** Part of it, at the same moment. */
  readonly folderBytes: number
  readonly serverMiB: number
  readonly nodeMiB: number
}

export interface Watch {
  /** Aborted when the disk is nearly full. */
  readonly signal: AbortSignal
  /** The Node process whose memory, with that of its children, is measured. */
  follow(pid: number): void
  stop(): Promise<Peaks>
}

export async function watch(db: Db): Promise<Watch> {
  const [place] = await db.query<{ folder: string; pid: number }>(
    `SELECT current_setting('data_directory') AS folder, pg_backend_pid() AS pid`,
  )
  const { folder = '', pid = 0 } = place ?? {}
  const full = new AbortController()
  const memory = serverMemory(pid)
  let peaks: Peaks = { tableBytes: 0, temporaryBytes: 0, walBytes: 0, folderBytes: 0, serverMiB: 0, nodeMiB: 0 }
  let followed = 0
  let looking = Promise.resolve()
  const look = async () => {
    peaks = highest(peaks, { ...(await bytesOf(folder)), ...memoryNow(memory, followed) })
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < keptFreeBytes) full.abort(new Error('the disk is nearly full: take a smaller --share'))
  }
  const ticker = setInterval(() => {
    looking = looking.then(look)
  }, everyMs)
  return {
    signal: full.signal,
    follow(pid) {
      followed = pid
    },
    async stop() {
      clearInterval(ticker)
      await looking
      await look()
      return peaks
    },
  }
}

function memoryNow(server: ServerMemory, worker: number) {
  const processes = runningProcesses()
  return { serverMiB: server(processes), nodeMiB: memoryOf(worker, processes) }
}

const highest = (one: Peaks, other: Peaks): Peaks =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, Math.max(value, other[name as keyof Peaks])]),
  ) as unknown as Peaks

/** Bytes of a data folder; files may appear and disappear during the walk. */
export async function bytesOf(folder: string) {
  let [walBytes, temporaryBytes, folderBytes] = [0, 0, 0]
  const walk = async (inside: string): Promise<void> => {
    const entries: Dirent[] = await readdir(inside, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(inside, entry.name)
      if (entry.isDirectory()) {
        await walk(path)
        continue
      }
      const bytes = await stat(path).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      )
      folderBytes += bytes
      if (path.includes('/pg_wal/')) walBytes += bytes
      if (path.includes('/pgsql_tmp/')) temporaryBytes += bytes
    }
  }
  await walk(folder)
  return { walBytes, temporaryBytes, folderBytes, tableBytes: folderBytes - walBytes - temporaryBytes }
}
