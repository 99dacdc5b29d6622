/**
 * Where tests put their files: databases, downloads, archives, unpacked browsers. In memory where the machine has
 * enough. A database for each test file is some 700 files: 0.5 s of processor time on a disk's file system, 0.05 s in
 * memory.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Bytes. A whole run has been observed to use 1.3 GiB at most. */
const room = { free: 4 * 2 ** 30, memory: 8 * 2 ** 30 }
const prefix = 'panji-tests-'

/** The temporary folder for all test processes. `PANJI_TEST_FOLDER` names another. */
export function testFolder(): string {
  const asked = process.env['PANJI_TEST_FOLDER']
  if (asked) return asked
  if (!hasRoom()) return tmpdir()
  for (const name of readdirSync(memory)) if (isLeft(name)) removeLeft(join(memory, name))
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // Under root a private folder would send the servers elsewhere, see src/db/embedded/location.ts.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Unmounts what a killed run mounted: a folder with a mount cannot be removed, and would prevent every later run. */
function removeLeft(folder: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, point = ''] = line.split(' ')
    if (point.startsWith(`${folder}/`)) spawnSync('umount', ['-l', point])
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Programs are started from there, too. */
function hasRoom(): boolean {
  try {
    const [, options] = /^\S+ \/dev\/shm \S+ (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    if (options === undefined || options.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= room.free && process.availableMemory() >= room.memory
  } catch {
    // This system has no such file system.
    return false
  }
}

/** Left by a run that was killed. */
function isLeft(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  try {
    process.kill(Number(name.slice(prefix.length)), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
