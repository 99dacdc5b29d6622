import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireWritableFolder } from '../../../src/cli/instance/data-directory.ts'
import { diskSpace } from '../../../src/cli/instance/disk-space.ts'

const disk = { bavail: 50 * 1024, bsize: 2 ** 20, files: 1_000_000, ffree: 900_000 }

test.each([
  ['has room', {}, true, '50.0 GiB free'],
  ['counts no files', { files: 0, ffree: 0 }, true, '50.0 GiB free'],
  ['has few bytes', { bavail: 1024 }, false, '1.0 GiB free; free some space, staging needs it'],
  [
    'takes no more files, however many bytes are free',
    { ffree: 0 },
    false,
    '50.0 GiB free; space for 0 more files (`df -i`); free some space, staging needs it',
  ],
])('a disk that %s is told so', (_, change, ok, said) => {
  expect(diskSpace({ ...disk, ...change })).toEqual({ ok, said })
})

test('a data directory that grants the right to write and takes no file is told to be of no use', () => {
  // Root may write into it by its rights, and is refused each file.
  expect(() => requireWritableFolder({ dataDir: '/sys' })).toThrow(
    /^The data directory \/sys \(PANJI_DATA_DIR\) cannot be used: /,
  )
})

test('looking whether a data directory is written leaves nothing in it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-written-'))
  requireWritableFolder({ dataDir })
  expect(readdirSync(dataDir)).toEqual([])
  rmdirSync(dataDir)
})
