/**
 * `npm run test:long [-- --figures
 * --clock NAME] [vitest arguments]`: what `npm test` leaves out. First all figures, see test/support/figures.ts: more
 * draws, seeds, rounds and callers of the tests that vary them. Then the tests on other days than today, by faketime,
 * with one clock of clocks.ts after the other: by default the short unit tests, which take some minutes for all clocks;
 * `--project integration` or a file runs those, and the embedded PostgreSQL has the same clock.
 */
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { canShiftClocks, shiftedClock } from '../test/support/shifted-clock.ts'
import { importGraph } from '../test/unit/house/import-graph.ts'
import { clocks } from './clocks.ts'
import { readSources } from './quick-candidates.ts'
import { distances } from './quick-choice.ts'

const root = new URL('../', import.meta.url)

/** Each file that the tests write is dated by their own clock. */
const filesToo = { FAKE_UTIME: '1' }

function runTests(parameters: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...parameters], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status === 0
}

/** The tests that vary figures, themselves or by what they import. */
export function variedTests(): string[] {
  const sources = [...readSources()].filter(([path]) => path.startsWith('test/'))
  const graph = importGraph(sources.map(([path, source]) => ({ path, source })))
  return [...distances(['test/support/figures.ts'], graph).keys()].filter((path) => path.endsWith('.test.ts'))
}

function runFigures(parameters: readonly string[]): boolean {
  console.log('\nall figures')
  const chosen = parameters.length > 0 ? parameters : variedTests()
  return runTests([...chosen, '--testTimeout', '600000'], { PANJI_TESTS: 'long' })
}

function runOn(clock: string, parameters: readonly string[]): boolean {
  const at = clocks[clock]
  if (!at) throw new Error(`no clock is called ${clock}. There are: ${Object.keys(clocks).join(', ')}.`)
  const now = new Date()
  const target = at(now)
  console.log(`\n${clock}: ${new Date(target).toISOString()}`)
  const shift = `+${Math.round((target - now.getTime()) / 1000)}s`
  return runTests(parameters, { ...shiftedClock(shift), ...filesToo })
}

/** @returns the names of what failed. */
function runAll(parameters: readonly string[]): string[] {
  if (parameters[0] === '--figures') return runFigures(parameters.slice(1)) ? [] : ['all figures']
  const named = parameters.indexOf('--clock')
  const rest = named === -1 ? parameters : parameters.toSpliced(named, 2)
  const red = named === -1 && rest.length === 0 && !runFigures([]) ? ['all figures'] : []
  if (!canShiftClocks) return red
  const chosen = named === -1 ? Object.keys(clocks) : [parameters[named + 1] ?? '']
  return [...red, ...chosen.filter((clock) => !runOn(clock, rest.length > 0 ? rest : ['--project', 'unit']))]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const red = runAll(process.argv.slice(2))
  console.log(red.length === 0 ? '\ngreen' : `\nred: ${red.join(', ')}`)
  process.exitCode = red.length === 0 ? 0 : 1
}
