import { expect, test } from 'vitest'
import { figure } from '../support/figures.ts'
import { readMutatedFiles } from '../support/mutate-files.ts'

/** CPU time of one file of at most some hundred kilobytes; ordinarily a few ms. */
const spentMsMax = 5000

const inputs = figure(150, 500)

test('mutated files of every kind are read or refused in words, each for little work', {
  timeout: 240_000,
}, async () => {
  const result = await readMutatedFiles({ seed: 20_251_121, inputs })
  expect(result.inputs).toBe(inputs)
  // Both ways are gone: a mutation that nothing survives, or that nothing notices, would test nothing.
  expect(result.refused).toBeGreaterThan(inputs / 10)
  expect(result.refused).toBeLessThan(0.9 * inputs)
  expect(result.slowestMs, result.slowest).toBeLessThan(spentMsMax)
})
