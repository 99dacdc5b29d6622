/**
 * Accounts that buy, spend, hold, read and give back, whose money comes and goes by refunds, disputes and chargebacks at any step,
 * from two processes and with deaths on the way: after each step the product has the credits, the goods and the rupees of a plain model.
 * `npm run test:long` tells 500 of them, of 20,000 steps together; a failure names its seed. `PANJI_LIFE=17` tells that one alone,
 * `PANJI_LIFE=61-80` those, and `PANJI_LIFE_STEPS=400` longer ones.
 */
import { describe, test } from 'vitest'
import { figure } from '../../support/figures.ts'
import { ordinary, useLives } from './money-life/use-lives.ts'

const lives = figure(ordinary.lives, 500)
const [first, last] = (process.env['PANJI_LIFE'] ?? `1-${lives}`).split('-').map(Number)
const from = first ?? 1
const seeds = Array.from({ length: (last ?? from) - from + 1 }, (_, at) => from + at)
/** The proof of the ledger reads all of it, so not all lives share one. */
const together = 20
const parts = Array.from({ length: Math.ceil(seeds.length / together) }, (_, at) =>
  seeds.slice(at * together, (at + 1) * together),
)

describe.each(parts.map((part) => [part[0], part.at(-1), part] as const))('lives %d to %d', (_first, _last, part) => {
  const world = useLives()

  test('an account has the credits, goods and rupees that a plain model says, whatever happens to its money', {
    timeout: 900_000,
  }, async () => {
    for (const seed of part) await world.live(seed)
  })
})
