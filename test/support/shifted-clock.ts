/** Processes whose clock is another day's, those that they start among them: the embedded PostgreSQL, too. */
import { spawnSync } from 'node:child_process'
import { hasTool } from './machine-tool.ts'

/** Whether faketime is installed here; where it is not, says so. */
export const canShiftClocks = hasTool('faketime', 'faketime')

/** @returns the environment of such a process. @param shift `+40d`, as faketime reads it. */
export function shiftedClock(shift: string): Record<string, string> {
  const { stdout } = spawnSync('faketime', ['-m', '-f', shift, 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
  // Waiting is waiting: clocks that only count go on as they are.
  return { LD_PRELOAD: stdout.trim(), FAKETIME: shift, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
