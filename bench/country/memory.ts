/** Resident memory of processes on this machine, in MiB, from Linux's /proc; zero where that is missing. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly residentKiB: number
  /** The part of it that no other process shares. */
  readonly ownKiB: number
}

export type ServerMemory = (processes: readonly Process[]) => number

/** For a database server with all its processes: their private memory, plus the shared memory once. */
export function serverMemory(backendPid: number): ServerMemory {
  const postmaster = processOf(backendPid)?.parent
  return (processes) => {
    const all = processes.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
    const own = all.reduce((sum, { ownKiB }) => sum + ownKiB, 0)
    const shared = Math.max(0, ...all.map(({ residentKiB, ownKiB }) => residentKiB - ownKiB))
    return Math.round((own + shared) / 1024)
  }
}

/** For a process with its children. */
export function memoryOf(pid: number, processes: readonly Process[]): number {
  const all = processes.filter((each) => each.pid === pid || each.parent === pid)
  return Math.round(all.reduce((sum, { residentKiB }) => sum + residentKiB, 0) / 1024)
}

export const runningProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? [])

function processOf(pid: number): Process | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return { pid, parent: figure('PPid'), residentKiB: figure('VmRSS'), ownKiB: figure('RssAnon') }
  } catch {
    return undefined
  }
}
