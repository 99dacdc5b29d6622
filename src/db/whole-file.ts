/**
 * Writes a small file of the data directory completely or not at all: a full disk leaves the previous file, and nothing
 * that a later process would mistake for a secret. Any error names the file, which Node does only for calls by path.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { giveToOwnerOf } from './folder-owner.ts'

export function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): void {
  const draft = writeDraft(path, content, mode)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** @returns the path of the draft, to be linked or renamed to `path`. */
export function writeDraft(path: string, content: string | Uint8Array, mode = 0o600): string {
  const draft = `${path}.${process.pid}`
  try {
    rmSync(draft, { force: true })
    const file = openSync(draft, 'wx', mode)
    try {
      giveToOwnerOf(dirname(path), file)
      writeFileSync(file, content, { flush: true })
    } finally {
      closeSync(file)
    }
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
