/**
 * Mutated files of every kind through all parsers for a minute: none hangs, and every failure is an AppError.
 *
 * npm run bench -- fuzz-inputs [--seconds 60] [--seed N]
 *
 * Prints the seed, how many files were read and refused, the most expensive one and the peak memory. Fails on the
 * first file that is not refused properly, with the seed and the number that reproduce it.
 */
import { parseArgs } from 'node:util'
import { readMutatedFiles } from '../test/support/mutate-files.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const seed = Number(values.seed)
const result = await readMutatedFiles({ seed, milliseconds: Number(values.seconds) * 1000 })
const peakRssMiB = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(JSON.stringify({ bench: 'fuzz-inputs', seed, ...result, peakRssMiB }, null, 2))
