/**
 * Creates a folder and its missing parents for the owner only; an existing folder is left unchanged. Replaces Node's
 * own `recursive`, which reports a read-only file system as a missing folder and never ends below /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** @throws the file system's error for the first folder that cannot be created. */
export function makeFolders(path: string): void {
  try {
    makeFolder(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || path === dirname(path)) throw error
    makeFolders(dirname(path))
    makeFolder(path)
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Some file systems refuse before they check whether the folder exists.
    if (codeOf(error) === 'ENOENT' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code
