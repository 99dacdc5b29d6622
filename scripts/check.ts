/** `npm run check`: format, lint, types, imports and unit tests, all that needs no database. Prints the time of each. */
import { spawnSync } from 'node:child_process'

const steps: readonly (readonly [string, readonly string[]])[] = [
  ['format and lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['lint with types', ['oxlint', '--type-aware', '--deny-warnings']],
  ['types', ['tsc', '-p', '.']],
  ['types of the console', ['tsc', '-p', 'web']],
  // The import directions are a unit test: test/unit/house/import-directions.test.ts.
  ['imports and unit tests', ['vitest', 'run', '--project', 'unit']],
]

for (const [name, [command = '', ...parameters]] of steps) {
  const started = performance.now()
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' })
  console.log(
    `check: ${name} ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  if (status !== 0) process.exit(1)
}
