/**
 * `npm run test:quick [since]`: the tests that a change most likely breaks, within three minutes. What changed is told
 * by git (what is not committed, or where that is nothing, since `since`, by default the commit before); which tests execute it, by
 * the records of `npm run test:record`, and where a test has none, by the imports between. The unit tests run whole; the others in
 * two parts, so that the second is as long as the time that the first left, at the pace that it had.
 */
import { spawnSync } from 'node:child_process'
import { changedLines } from './changes.ts'
import { candidatesOf, readSources } from './quick-candidates.ts'
import { choose, timeOf } from './quick-choice.ts'

const wholeMs = 170_000
/** What the short unit tests take on two quiet cores. */
const unitMs = 20_000
/** The first part's share of the time that is left. */
const firstShare = 0.5
/** With less than this a part is not worth its start. */
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
  // A machine that has other work to do shows it here already.
  let pace = Math.max(1, (performance.now() - started) / unitMs)
  for (const share of [firstShare, 1]) {
    const part = left() < partMsMin ? [] : choose(waiting, likelihood, (left() * share) / pace)
    if (!isGreen || part.length === 0) break
    const began = performance.now()
    isGreen = run(part.map(({ path }) => path))
    // A first part that was quick says little of the second: only so much more is asked of it.
    pace = Math.max(0.75, (performance.now() - began) / timeOf(part))
    waiting = waiting.filter((file) => !part.includes(file))
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `${changed.size} changed files: the unit tests and ${files.length - waiting.length} of ${files.length} test files that they reach, ${seconds} s`,
  )
  if (unrecorded > 0)
    console.log(
      `Of ${unrecorded} of these nothing is recorded: imports told of them. \`npm run test:record\` records them.`,
    )
  if (!isGreen) process.exitCode = 1
}
