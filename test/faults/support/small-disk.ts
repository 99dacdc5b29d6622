/** A file system of its own, a small one, in a test that runs as root. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from '../../../src/db/embedded/unprivileged-user.ts'

/** @returns the folder of a file system of its own, or why there can be none. */
export function mountSmallDisk(size: string): { readonly folder: string } | { readonly refused: string } {
  if (process.getuid?.() !== 0) return { refused: 'only root may mount a file system' }
  const folder = mkdtempSync(join(tmpdir(), 'panji-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    return { refused: error instanceof Error ? error.message : String(error) }
  }
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  return { folder }
}

export const enlarge = (folder: string, size: string): unknown =>
  execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'pipe' })

export function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' })
  rmSync(folder, { recursive: true })
}

/** @returns why there can be no small disk here, undefined where there can. */
export function smallDiskRefusal(): string | undefined {
  const probe = mountSmallDisk('6m')
  if ('refused' in probe) return probe.refused
  unmount(probe.folder)
  return undefined
}
