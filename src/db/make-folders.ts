/**
 * Makes a folder, and those above it, for its owner alone; one that is there is left as it is. In place of Node's own `recursive`, which
 * says of a read-only file system that the folder is not there, and never ends below /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** @throws what the file system answered for the first folder that it refused. */
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
    // Some file systems refuse before they look whether it is there.
    if (codeOf(error) === 'ENOENT' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code
