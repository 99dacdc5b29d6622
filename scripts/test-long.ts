/**
 * `npm run test:long [-- --clock NAME] [what vitest takes]`: the tests on other days than today, by faketime, one clock of
 * clocks.ts after the other. Without more the short unit tests, which take some minutes for all clocks; `--project integration` or a
 * file runs those, and the embedded PostgreSQL has the same clock.
 */
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { canShiftClocks, shiftedClock } from '../test/support/shifted-clock.ts'
import { clocks } from './clocks.ts'

const root = new URL('../', import.meta.url)

/** Files of the tests have the times of their own clock. */
const filesToo = { FAKE_UTIME: '1' }

function runOn(clock: string, parameters: readonly string[]): boolean {
  const at = clocks[clock]
  if (!at) throw new Error(`no clock is called ${clock}. There are: ${Object.keys(clocks).join(', ')}.`)
  const now = new Date()
  const target = at(now)
  console.log(`\n${clock}: ${new Date(target).toISOString()}`)
  const shift = `+${Math.round((target - now.getTime()) / 1000)}s`
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...parameters], {
    cwd: root,
    env: { ...process.env, ...shiftedClock(shift), ...filesToo },
    stdio: 'inherit',
  })
  return status === 0
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const parameters = process.argv.slice(2)
  const named = parameters.indexOf('--clock')
  const chosen = named === -1 ? Object.keys(clocks) : [parameters[named + 1] ?? '']
  const rest = named === -1 ? parameters : parameters.toSpliced(named, 2)
  if (!canShiftClocks) process.exit(0)
  const red = chosen.filter((clock) => !runOn(clock, rest.length > 0 ? rest : ['--project', 'unit']))
  console.log(red.length === 0 ? '\ngreen on every clock' : `\nred on: ${red.join(', ')}`)
  process.exitCode = red.length === 0 ? 0 : 1
}
