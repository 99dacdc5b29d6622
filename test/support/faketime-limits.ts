/**
 * What faketime does not shift, for tests that need it: file times, which are those of the true clock; and timers that
 * end a process's wait with a signal, so that a waiting PostgreSQL finds its timeout far ahead and sets it again. A
 * busy server is interrupted on time.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'panji-clock-'))
export const filesHaveThisClock = Math.abs(Date.now() - statSync(folder).mtimeMs) < 60_000
rmSync(folder, { recursive: true })

export const waitingServersAreStopped = filesHaveThisClock

if (!filesHaveThisClock) console.warn('skipped: under faketime neither ages of files nor time-outs of a waiting server')
