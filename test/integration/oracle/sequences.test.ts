/**
 * Sequences of what operators do to a register: files of all kinds and every correction. After each step the product has what an oracle has that
 * shares nothing with it. `npm run test:long` tells 20,000; a failure names its seed, and `PANJI_SEQUENCE=<seed>` tells that one alone.
 */
import { describe, test } from 'vitest'
import { figure } from '../../support/figures.ts'
import { ordinary, useSequences } from './sequences/use-sequences.ts'

const seeds = figure(ordinary.seeds, 1_667)
const only = process.env['PANJI_SEQUENCE']
const [first, last] = only === undefined ? [1, seeds] : [Number(only), Number(only)]

describe('sequences of files and corrections', () => {
  const sequences = useSequences()

  test('leave records, history, partitions and the past as the oracle has them, whatever is done in whatever order', {
    timeout: 14_400_000,
  }, async () => {
    for (let seed = first; seed <= last; seed++) await sequences.live(seed)
  })
})
