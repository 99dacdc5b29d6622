/**
 * One process owns a data directory at a time. `<data dir>/instance.json` names the owner and how to reach its
 * database. If that process is gone (kill -9), the file is stale and is taken over.
 */
import { linkSync, readFileSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'
import { writeDraft, writeWhole } from '../whole-file.ts'

export interface Instance {
  readonly pid: number
  /** Distinguishes this process from a later one with the same pid; empty if the system does not report it. */
  readonly processStart: string
  /** `start`, or the command that runs the database. */
  readonly command: string
  /** Connection string of the embedded database once it accepts connections. */
  readonly databaseUrl?: string
  /** Where the HTTP API listens, when it runs: `http://127.0.0.1:8080`. */
  readonly apiUrl?: string
}

export interface InstanceLock {
  /** Adds the database's and the API's address once they are known. */
  publish(details: Partial<Pick<Instance, 'databaseUrl' | 'apiUrl'>>): void
  /** Removes the addresses, before the database stops. */
  withdraw(): void
  release(): void
}

const fileOf = (dataDir: string) => join(dataDir, 'instance.json')

/** @returns the live owner of the data directory, if any. */
export function readInstance(dataDir: string): Instance | undefined {
  let text: string
  try {
    text = readFileSync(fileOf(dataDir), 'utf8')
  } catch {
    return undefined
  }
  try {
    const instance = JSON.parse(text) as Instance
    return isAlive(instance) ? instance : undefined
  } catch {
    return undefined
  }
}

/** @throws AppError DATA_DIR_IN_USE naming the process that holds the directory. */
export function acquireInstance(dataDir: string, command: string): InstanceLock {
  const lock = acquireFree(dataDir, command)
  if (lock) return lock
  const holder = readInstance(dataDir)
  if (holder) throw inUse(dataDir, holder)
  throw new AppError('DATA_DIR_IN_USE', `Another process is taking over ${dataDir} at this moment. Try again.`)
}

/** @returns undefined where another process holds the directory, or is taking it over. */
export function acquireFree(dataDir: string, command: string): InstanceLock | undefined {
  const path = fileOf(dataDir)
  const owner: Instance = { pid: process.pid, processStart: processStartOf(process.pid), command }
  let mine = owner
  const draft = writeDraft(path, JSON.stringify(mine))
  try {
    if (!tryLink(draft, path)) {
      if (readInstance(dataDir)) return undefined
      discardStale(path)
      if (!tryLink(draft, path)) return undefined
    }
  } finally {
    removeIfThere(draft)
  }
  let isReleased = false
  return {
    publish(details) {
      mine = { ...mine, ...details }
      writeWhole(path, JSON.stringify(mine))
    },
    withdraw() {
      mine = owner
      try {
        writeWhole(path, JSON.stringify(mine))
      } catch {
        // Neither a disk that is full or read-only nor a folder that was removed may keep the database from stopping; the
        // addresses then stay until it has.
      }
    },
    release() {
      // Once: afterwards the file is that of the next owner.
      if (isReleased) return
      isReleased = true
      removeIfThere(path)
    },
  }
}

function inUse(dataDir: string, holder: Instance): AppError {
  return new AppError(
    'DATA_DIR_IN_USE',
    `Another Panji (process ${holder.pid}, \`panji ${holder.command}\`) already runs on ${dataDir}. Stop it first, or set PANJI_DATA_DIR to another folder.`,
  )
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Another process may have taken over since our check: then the file moved is its own, not the stale one, and is
 * restored.
 */
function discardStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (isAlive(JSON.parse(readFileSync(aside, 'utf8')) as Instance)) tryLink(aside, path)
  removeIfThere(aside)
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function isAlive(instance: Instance): boolean {
  try {
    process.kill(instance.pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  return processStartOf(instance.pid) === instance.processStart
}

/**
 * Start time in clock ticks since boot (field 22 of /proc/PID/stat), so that a reused pid is not mistaken for the old
 * process.
 */
function processStartOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
