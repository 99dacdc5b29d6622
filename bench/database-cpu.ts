/**
 * Processor seconds of a database server on this machine with all its processes, from Linux's /proc; zero elsewhere.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../src/db/db.ts'

const ticksPerSecond = 100

interface Stat {
  readonly parent: number
  readonly seconds: number
  /** Of its children that have ended. */
  readonly endedSeconds: number
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (n: number) => fields[n] ?? 0
    return {
      parent: at(1),
      seconds: (at(11) + at(12)) / ticksPerSecond,
      endedSeconds: (at(13) + at(14)) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}

/** @returns a function that reads the seconds used so far. */
export async function databaseCpu(db: Db): Promise<() => number> {
  const [backend] = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = statOf(backend?.pid ?? 0)?.parent ?? 0
  return () => {
    const own = statOf(postmaster)
    if (!own) return Number.NaN
    const running = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statOf)
      .filter((stat) => stat?.parent === postmaster)
    return running.reduce((sum, stat) => sum + (stat?.seconds ?? 0), own.seconds + own.endedSeconds)
  }
}
