/** The data directory is closed to others, unless others keep their files in it: then it is refused, and stays as it is. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareDataDir } from '../../../src/cli/instance/data-directory.ts'
import { Secret } from '../../../src/domain/secret.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'panji-foreign-'))
  chmodSync(dataDir, 0o755)
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
const modeOf = () => statSync(dataDir).mode & 0o777
const prepare = (takesOver?: boolean) =>
  prepareDataDir({ dataDir, databaseUrl: new Secret('postgresql://127.0.0.1/panji') }, takesOver)

test.each([['notes.txt'], ['spool'], ['lost+found', 'site']])('a folder that holds %s is refused', (...names) => {
  for (const name of names) mkdirSync(join(dataDir, name))
  const before = readdirSync(dataDir)
  expect(() => prepare()).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(() => prepare()).toThrow(`holds other files: ${names.at(-1)}. `)
  expect([modeOf(), readdirSync(dataDir)]).toEqual([0o755, before])
  // What the refusal advises, and what a restore with --force does.
  chmodSync(dataDir, 0o700)
  prepare()
  chmodSync(dataDir, 0o755)
  prepare(true)
  expect(modeOf()).toBe(0o700)
})

test.each([
  { names: [] },
  { names: ['lost+found'] },
  { names: ['secret-key', 'notes.txt'] },
  { names: ['panji.json'] },
  { names: ['instance.json', 'drop'] },
])('an empty folder, and one that holds files of Panji, is closed to others: $names', ({ names }) => {
  for (const name of names) writeFileSync(join(dataDir, name), '')
  prepare()
  expect(modeOf()).toBe(0o700)
})
