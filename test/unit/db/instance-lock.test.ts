/** The lock of a data directory, where that is taken away from under it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireInstance, readInstance } from '../../../src/db/embedded/instance-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panji-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a folder that somebody removed keeps its owner from neither withdrawing nor releasing', () => {
  const lock = acquireInstance(folder, 'start')
  lock.publish({ databaseUrl: 'postgres://127.0.0.1/panji' })
  rmSync(folder, { recursive: true })
  lock.withdraw()
  lock.release()
})

test('a lock that was released does not release that of the next owner', () => {
  const lock = acquireInstance(folder, 'ingest')
  lock.release()
  mkdirSync(folder, { recursive: true })
  acquireInstance(folder, 'start')
  lock.release()
  expect(readInstance(folder)).toMatchObject({ command: 'start' })
})
