/**
 * `npm run test:record [vitest arguments]`: runs tests, and records what each file executed, function by function, in
 * `node_modules/.cache/panji-executed`. `npm run test:quick` uses it to find the tests that a change concerns. Without
 * arguments it runs all but the short unit tests, which test:quick runs anyway; a folder or a file updates only its own
 * records.
 */
import { spawnSync } from 'node:child_process'

const projects = ['lengthy', 'integration', 'security', 'conformance', 'story', 'faults', 'console']
const requested = process.argv.slice(2)
const chosen = requested.length > 0 ? requested : projects.flatMap((project) => ['--project', project])
// Functions from a compile cache are not counted reliably.
const env = { ...process.env, PANJI_TESTS: 'record', NODE_DISABLE_COMPILE_CACHE: '1' }
const { status } = spawnSync('vitest', ['run', ...chosen], {
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
