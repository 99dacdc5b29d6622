/**
 * Sequences of what operators do to the registers: files of all kinds and every correction. After each step the product has what an oracle has that
 * shares nothing with it. `npm run test:long` tells 20,000; a failure names its register and its seed, and `PANJI_SEQUENCE=<seed>` tells that one
 * alone, of each register.
 */
import { describe, test } from 'vitest'
import { figure } from '../../support/figures.ts'
import { kinds } from './sequences/kinds/index.ts'
import { useSequences } from './sequences/use-sequences.ts'

const only = process.env['PANJI_SEQUENCE']

describe('sequences of files and corrections', () => {
  const sequences = useSequences()

  test.each(kinds.map(({ kind, seeds }) => ({ of: kind.name, kind, seeds })))(
    'of $of leave records, history, partitions and the past as the oracle has them, whatever is done in whatever order',
    { timeout: 14_400_000 },
    async ({ kind, seeds }) => {
      const [first, last] = only === undefined ? [1, figure(seeds, 40 * seeds)] : [Number(only), Number(only)]
      for (let seed = first; seed <= last; seed++) await sequences.live(kind, seed)
    },
  )
})
