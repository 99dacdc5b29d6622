import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolders } from '../../../src/db/make-folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-folders-'))
const sealed = mkdtempSync(join(tmpdir(), 'panji-read-only-'))
const isSealed = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', sealed]).status === 0
afterAll(() => {
  if (isSealed) spawnSync('umount', ['-l', sealed])
  for (const path of [folder, sealed]) rmSync(path, { recursive: true, force: true })
})

test('a folder is made with those above it, for its owner alone, and one that is there stays', () => {
  const path = join(folder, 'a', 'b', 'c')
  for (let time = 0; time < 2; time++) makeFolders(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
})

test('a file in place of a folder is reported as a file', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => makeFolders(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  expect(() => makeFolders(join(file, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

test.skipIf(!isSealed)('a read-only file system is told as one, however deep the folder would lie', () => {
  for (const path of [join(sealed, 'a'), join(sealed, 'a', 'b')]) {
    expect(() => makeFolders(path)).toThrow(expect.objectContaining({ code: 'EROFS' }))
  }
  expect(() => makeFolders(sealed)).not.toThrow()
})

test.skipIf(process.platform !== 'linux')('a file system that makes no folder at all ends the attempt', () => {
  expect(() => makeFolders('/proc/panji/data')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
