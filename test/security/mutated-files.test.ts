import { expect, test } from 'vitest'
import { readMutatedFiles } from '../support/mutate-files.ts'

/** CPU time of one file of at most some hundred kilobytes; ordinarily a few ms. */
const spentMsMax = 5000

test('five hundred mutated files of every kind are read or refused in words, each for little work', {
  timeout: 240_000,
}, async () => {
  const result = await readMutatedFiles({ seed: 20_251_121, inputs: 500 })
  expect(result.inputs).toBe(500)
  // Both ways are gone: a mutation that nothing survives, or that nothing notices, would test nothing.
  expect(result.refused).toBeGreaterThan(50)
  expect(result.refused).toBeLessThan(450)
  expect(result.slowestMs, result.slowest).toBeLessThan(spentMsMax)
})
