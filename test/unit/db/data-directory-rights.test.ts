/** Whom the data directory lets in, and to whom belongs what root makes in it. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { protectDataDir } from '../../../src/db/embedded/location.ts'
import { giveFolder } from '../../../src/db/folder-owner.ts'
import { writeWhole } from '../../../src/db/whole-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-rights-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function made(name: string, ...files: string[]): string {
  const path = join(folder, name)
  mkdirSync(path)
  chmodSync(path, 0o755)
  for (const file of files) writeFileSync(join(path, file), '')
  return path
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('one that is new or empty is closed to others', () => {
  for (const path of [join(folder, 'absent'), made('empty'), made('volume', 'lost+found', 'panji.json')]) {
    protectDataDir(path, undefined)
    expect([path, modeOf(path)]).toEqual([path, '700'])
  }
})

test('one in which others keep their files stays as it is', () => {
  const path = made('shared', 'of-others.txt')
  protectDataDir(path, undefined)
  expect(modeOf(path)).toBe('755')
})

test.runIf(process.getuid?.() === 0)('what root makes in the folder of another user belongs to that user', () => {
  const path = made('of-a-service')
  chownSync(path, 12_345, 12_346)
  writeWhole(join(path, 'secret-key'), 'a key')
  mkdirSync(join(path, 'downloads'))
  giveFolder(join(path, 'downloads'))
  for (const name of ['secret-key', 'downloads']) {
    expect(statSync(join(path, name))).toMatchObject({ uid: 12_345, gid: 12_346 })
  }
  expect(modeOf(join(path, 'secret-key'))).toBe('600')
})
