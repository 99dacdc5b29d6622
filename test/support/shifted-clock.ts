/** Processes whose clock is another day's, those that they start among them: the embedded PostgreSQL, too. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { hasTool } from './machine-tool.ts'

/** Whether faketime is installed here; where it is not, says so. */
export const canShiftClocks = hasTool('faketime', 'faketime')

/**
 * Whether PostgreSQL's time-outs and its search for deadlocks end its waits. Under faketime they do not: a signal that comes while
 * the server waits finds the machine's time instead of the shifted one, and the timer is wound up again for the whole shift.
 */
export const timeoutsEndWaits = process.env['FAKETIME'] === undefined
if (!timeoutsEndWaits)
  console.log("PostgreSQL's time-outs do not end its waits under faketime: what needs them is skipped.")

const secondsOf = { s: 1, d: 86_400 }

function seconds(shift: string): number {
  const [, count = '', unit = ''] = /^\+(\d+)([sd])$/.exec(shift) ?? []
  if (unit !== 's' && unit !== 'd') throw new Error(`no shift of a clock: ${shift}`)
  return Number(count) * secondsOf[unit]
}

/** @returns the environment of such a process. @param shift `+40d` or `+90s`, from the clock of this process, which may be shifted, too. */
export function shiftedClock(shift: string): Record<string, string> {
  removeLeftovers()
  const found = spawnSync('faketime', ['-m', '-f', shift, 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
  const { status, stdout, stderr } = found
  // Without the library every process would have the machine's own clock, and the test would be of nothing.
  if (status !== 0 || stdout.trim() === '') throw new Error(`faketime names no library (${status}): ${stderr}`)
  const own = process.env['FAKETIME']
  // Waiting is waiting: clocks that only count go on as they are.
  return {
    LD_PRELOAD: stdout.trim(),
    FAKETIME: `+${seconds(shift) + (own === undefined ? 0 : seconds(own))}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/**
 * A process with such a clock that was killed leaves a piece of shared memory with its number in the name, and `faketime` refuses to start
 * under the number of one that did.
 */
function removeLeftovers(): void {
  const shared = '/dev/shm'
  for (const name of existsSync(shared) ? readdirSync(shared) : []) {
    const pid = /^(?:faketime_shm_|sem\.faketime_sem_)(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(`${shared}/${name}`, { force: true })
  }
}
