/** What was compiled is kept in the user's own cache; a user without a home has none, and Panji starts all the same. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../../bin/panji.mjs', import.meta.url))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panji-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const started = (env: Readonly<Record<string, string>>, uid?: number) => {
  const { status, stderr } = spawnSync(process.execPath, [program, '--version'], {
    ...{ env, encoding: 'utf8', cwd: uid === undefined ? folder : '/' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { status, stderr }
}
const fine = { status: 0, stderr: '' }

test('the cache is in the home, or in the folder of caches that is named', () => {
  expect(started({ HOME: folder })).toEqual(fine)
  expect(readdirSync(join(folder, '.cache/panji/compiled'))).not.toEqual([])
  expect(started({ HOME: folder, XDG_CACHE_HOME: join(folder, 'caches') })).toEqual(fine)
  expect(existsSync(join(folder, 'caches/panji/compiled'))).toBe(true)
})

test.each([{ HOME: '' }, { HOME: '', XDG_CACHE_HOME: '' }, { HOME: '', XDG_CACHE_HOME: 'caches' }])(
  'with %j nothing is left in the current folder',
  (env) => {
    expect(started(env)).toEqual(fine)
    expect(readdirSync(folder)).toEqual([])
  },
)

/** A user number that no account has; only root may take it, and not every checkout lets it in. */
const nobody = 54_321
const mayRun = spawnSync(process.execPath, ['--check', program], { cwd: '/', uid: nobody, gid: nobody }).status === 0

test.skipIf(!mayRun)('a user number without an account and without a home starts Panji', () => {
  expect(started({}, nobody)).toEqual(fine)
})
