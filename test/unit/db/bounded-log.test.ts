/** The log of the embedded server is kept short, and where the file system refuses that, the instance runs on. */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boundLog } from '../../../src/db/embedded/bounded-log.ts'

const bound = { bytesMax: 100, keptBytes: 10, everyMs: 5_000 }
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panji-log-'))
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

test('a log that cannot be shortened ends nothing, and is shortened once it can be', () => {
  const path = join(folder, 'postgres.log')
  const saved = `${path}.1`
  const long = `${'x'.repeat(200)}the end...`
  writeFileSync(path, long)
  mkdirSync(saved)
  const leave = boundLog(path, bound)
  vi.advanceTimersByTime(bound.everyMs * 2)
  expect(readFileSync(path, 'utf8')).toBe(long)

  rmdirSync(saved)
  vi.advanceTimersByTime(bound.everyMs)
  expect([statSync(path).size, readFileSync(saved, 'utf8')]).toEqual([0, 'the end...'])
  leave()
})
