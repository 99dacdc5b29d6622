/**
 * `npm run test:quick [since]`: the tests that a change most likely breaks, within three minutes. git reports the
 * change (what is not committed or, if that is nothing, everything since `since`, by default the previous commit); the
 * records of `npm run test:record` show which tests execute it, and for a test without records the imports between them
 * do. The unit tests all run; the others run in two parts, so that the second can fill the time that the first left, at
 * the measured pace.
 */
import { spawnSync } from 'node:child_process'
import { changedLines } from './changes.ts'
import { candidatesOf, readSources } from './quick-candidates.ts'
import { choose, timeOf } from './quick-choice.ts'

const wholeMs = 170_000
/** The time of the short unit tests on two idle cores. */
const unitMs = 20_000
/** The first part's share of the remaining time. */
const firstShare = 0.5
/** With less time than this a part is not worth starting. */
const partMsMin = 15_000

const run = (parameters: readonly string[]): boolean =>
  spawnSync('vitest', ['run', ...parameters], { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

if (import.meta.main) {
  const started = performance.now()
  const left = (): number => wholeMs - (performance.now() - started)
  const changed = changedLines(process.argv[2])
  const { files, likelihood, unrecorded } = candidatesOf(changed, readSources())
  let waiting = files

  let isGreen = run(['--project', 'unit'])
  // A busy machine already shows here.
  let pace = Math.max(1, (performance.now() - started) / unitMs)
  for (const share of [firstShare, 1]) {
    const part = left() < partMsMin ? [] : choose(waiting, likelihood, (left() * share) / pace)
    if (!isGreen || part.length === 0) break
    const began = performance.now()
    isGreen = run(part.map(({ path }) => path))
    // A quick first part says little about the second: its size is limited to this factor.
    pace = Math.max(0.75, (performance.now() - began) / timeOf(part))
    waiting = waiting.filter((file) => !part.includes(file))
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `${changed.size} changed files: the unit tests and ${files.length - waiting.length} of ${files.length} test files that they reach, ${seconds} s`,
  )
  if (unrecorded > 0)
    console.log(
      `${unrecorded} of these have no records and were chosen by their imports. \`npm run test:record\` records them.`,
    )
  if (!isGreen) process.exitCode = 1
}
