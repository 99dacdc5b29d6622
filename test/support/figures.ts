/**
 * How many repetitions a run does, where only the number varies. `npm test` does enough to check each guarantee, `npm
 * run test:long` does all: it runs the files that import this one, under PANJI_TESTS=long.
 */
const isLong = process.env['PANJI_TESTS'] === 'long'

/** A count that may vary: rounds, seeds, rows, callers. */
export const figure = (short: number, long: number): number => (isLong ? long : short)

/** Draws of a property. The seed stays, so the short run's draws are the first of the long one's. */
export const draws = (long: number): number => figure(Math.max(5, Math.ceil(long / 3)), long)

/** One of several equivalent values, chosen by `place`; in the long run all of them. */
export const oneOf = <T>(all: readonly T[], place: number): readonly T[] =>
  isLong ? all : all.filter((_, index) => index === place % all.length)
