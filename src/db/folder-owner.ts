/**
 * What root creates in the folder of another user belongs to that user: after a command by root in the data directory
 * of a service, the service could otherwise not read its own files. Never through a name, which the folder's owner
 * could meanwhile have made a link.
 */
import { closeSync, constants, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../domain/fault-code.ts'

export function giveToOwnerOf(folder: string, descriptor: number): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  if (uid === 0) return
  try {
    fchownSync(descriptor, uid, gid)
  } catch (error) {
    // Some shares and containers let nobody change an owner.
    if (codeOf(error) !== 'EPERM') throw error
  }
}

/** For a folder that this process has just created. */
export function giveFolder(path: string): void {
  if (process.geteuid?.() !== 0) return
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    giveToOwnerOf(dirname(path), descriptor)
  } finally {
    closeSync(descriptor)
  }
}
