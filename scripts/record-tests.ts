/**
 * `npm run test:record [what vitest takes]`: runs tests, and keeps what each file of them executed, function by function, in
 * `node_modules/.cache/panji-executed`. By it `npm run test:quick` knows which tests a change concerns. Without more it runs all
 * but the short unit tests, which that runs anyway; a folder or a file records those anew.
 */
import { spawnSync } from 'node:child_process'

const projects = ['lengthy', 'integration', 'security', 'conformance', 'story', 'faults', 'console']
const asked = process.argv.slice(2)
const chosen = asked.length > 0 ? asked : projects.flatMap((project) => ['--project', project])
// Functions that come out of a cache of compiled code are not counted reliably.
const env = { ...process.env, PANJI_TESTS: 'record', NODE_DISABLE_COMPILE_CACHE: '1' }
const { status } = spawnSync('vitest', ['run', ...chosen], {
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
