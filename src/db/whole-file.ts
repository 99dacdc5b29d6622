/**
 * A small file of the data directory, written whole or not at all: a disk that runs full leaves the one before, and nothing that a later
 * process would take for a secret. Whatever the file system refuses, the error names the file, as Node does of a call with a path alone.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'

export function writeWhole(path: string, text: string, mode = 0o600): void {
  const draft = writeDraft(path, text, mode)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** @returns where it lies until it is linked or renamed to `path`. */
export function writeDraft(path: string, text: string, mode = 0o600): string {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode, flush: true })
  } catch (error) {
    rmSync(draft, { force: true })
    throw nameFile(error, path)
  }
  return draft
}

/** @returns the error, which says from now on what file was refused. */
export function nameFile(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path })
  return error
}
