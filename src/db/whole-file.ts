/**
 * Writes a small file of the data directory completely or not at all: a full disk leaves the previous file, and nothing
 * that a later process would mistake for a secret. Any error names the file, which Node does only for calls by path.
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

/** @returns the path of the draft, to be linked or renamed to `path`. */
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

/** @returns the error, with the path of the file added. */
export function nameFile(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path })
  return error
}
