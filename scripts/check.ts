/**
 * `npm run check`: format, lint, types, imports and unit tests, everything that needs no database, in parallel. Each
 * prints its output when it has ended, with its time. Unit tests that take seconds are left to `npm test`.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const steps: readonly (readonly [string, readonly string[]])[] = [
  // One worker loads the code once, and the linter and the compiler keep the other processors busy.
  // The import directions are a unit test: test/unit/house/import-directions.test.ts.
  ['imports and unit tests', ['vitest', 'run', '--project', 'unit', '--maxWorkers', '1']],
  // The linter needs the types of every file, so it also reports the compiler's errors, in TypeScript's own words, by
  // the tsconfig.json next to each file, the console's included.
  ['types and lint', ['oxlint', '--type-aware', '--type-check', '--deny-warnings']],
  ['format and lint', ['biome', 'check', '--error-on-warnings', '.']],
]

async function run([name, [command = '', ...parameters]]: (typeof steps)[number]): Promise<boolean> {
  const started = performance.now()
  const colours = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {}
  // The linter is written in Go: it needs 3 GB at its peak, and collects no garbage before four.
  const env = { GOGC: 'off', GOMEMLIMIT: '4GiB', ...colours, ...process.env }
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [said, complained, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  process.stdout.write(said)
  process.stderr.write(complained)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  return status === 0
}

const passed = await Promise.all(steps.map(run))
if (passed.includes(false)) process.exitCode = 1
