/** Processes with the clock of another day, including their child processes, such as the embedded PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { hasTool } from './machine-tool.ts'

/** Whether faketime is installed here; prints a message if not. */
export const canShiftClocks = hasTool('faketime', 'faketime')

/**
 * Whether PostgreSQL's timeouts and its deadlock detection work. Under faketime they do not: a signal during a wait
 * uses the machine's time instead of the shifted one, and the timer is set again for the whole shift.
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

/**
 * @returns the environment of such a process. @param shift `+40d` or `+90s`, relative to the clock of this process,
 * which may be shifted, too.
 */
export function shiftedClock(shift: string): Record<string, string> {
  removeLeftovers()
  const found = spawnSync('faketime', ['-m', '-f', shift, 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
  const { status, stdout, stderr } = found
  // Without the library every process would have the machine's own clock, and the test would prove nothing.
  if (status !== 0 || stdout.trim() === '') throw new Error(`faketime names no library (${status}): ${stderr}`)
  const own = process.env['FAKETIME']
  // Durations stay real: monotonic clocks are not shifted.
  return {
    LD_PRELOAD: stdout.trim(),
    FAKETIME: `+${seconds(shift) + (own === undefined ? 0 : seconds(own))}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/**
 * A killed process with such a clock leaves a shared memory segment with its process id in the name, and `faketime`
 * refuses to start under the same id.
 */
function removeLeftovers(): void {
  const shared = '/dev/shm'
  for (const name of existsSync(shared) ? readdirSync(shared) : []) {
    const pid = /^(?:faketime_shm_|sem\.faketime_sem_)(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(`${shared}/${name}`, { force: true })
  }
}
