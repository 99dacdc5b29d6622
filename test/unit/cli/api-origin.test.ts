/** Links that a command prints can be opened where the API is, whatever the shell's HOST and PORT are. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { apiOrigin } from '../../../src/cli/instance/api-origin.ts'
import { acquireInstance } from '../../../src/db/embedded/instance-lock.ts'
import { Secret } from '../../../src/domain/secret.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'panji-origin-'))
const lock = acquireInstance(dataDir, 'start')
lock.publish({ apiUrl: 'http://127.0.0.1:4711' })
afterAll(() => {
  lock.release()
  rmSync(dataDir, { recursive: true, force: true })
})

const shell = {
  dataDir,
  databaseUrl: undefined,
  host: '127.0.0.1',
  port: 8080,
  connect: { publicUrl: undefined, apps: [] },
}

test('the public origin comes first, then that of the running instance, then what the settings say', () => {
  const publicUrl = 'https://panji.example.in'
  expect(apiOrigin({ ...shell, connect: { publicUrl, apps: [] } })).toBe(publicUrl)
  expect(apiOrigin(shell)).toBe('http://127.0.0.1:4711')
  expect(apiOrigin({ ...shell, dataDir: join(dataDir, 'none') })).toBe('http://127.0.0.1:8080')
})

test('with DATABASE_URL an instance of the data directory is another one, and an IPv6 address is in brackets', () => {
  const databaseUrl = new Secret('postgresql://127.0.0.1/panji')
  expect(apiOrigin({ ...shell, databaseUrl, host: '::1' })).toBe('http://[::1]:8080')
})
