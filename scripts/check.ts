/**
 * `npm run check`: format, lint, types, imports and unit tests, all that needs no database, side by side. Each prints
 * what it has to say when it has ended, with its time.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const steps: readonly (readonly [string, readonly string[]])[] = [
  // The import directions are a unit test: test/unit/house/import-directions.test.ts.
  ['imports and unit tests', ['vitest', 'run', '--project', 'unit']],
  ['lint with types', ['oxlint', '--type-aware', '--deny-warnings']],
  ['types', ['tsc', '-p', '.']],
  ['types of the console', ['tsc', '-p', 'web']],
  ['format and lint', ['biome', 'check', '--error-on-warnings', '.']],
]

async function run([name, [command = '', ...parameters]]: (typeof steps)[number]): Promise<boolean> {
  const started = performance.now()
  const env = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {}
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
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
