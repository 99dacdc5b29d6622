/**
 * What faketime does not shift, for tests that need it: no file system, so that files are as old as the true clock says; and no time
 * that a signal asks for while its process waits, so that a PostgreSQL that sleeps or waits for a lock finds its time-out far ahead and
 * sets it anew. A server that works is stopped in time.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'panji-clock-'))
export const filesHaveThisClock = Math.abs(Date.now() - statSync(folder).mtimeMs) < 60_000
rmSync(folder, { recursive: true })

export const waitingServersAreStopped = filesHaveThisClock

if (!filesHaveThisClock) console.warn('skipped: under faketime neither ages of files nor time-outs of a waiting server')
