/** Whether files here are as old as the clock of this process says: faketime shifts whoever asks for the time, but no file system. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'panji-clock-'))
export const filesHaveThisClock = Math.abs(Date.now() - statSync(folder).mtimeMs) < 60_000
rmSync(folder, { recursive: true })

if (!filesHaveThisClock)
  console.warn('skipped: the clock is shifted and that of files is not; what sweeps by age is not tried')
