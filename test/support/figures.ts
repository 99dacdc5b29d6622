/**
 * How much of what only varies figures a run takes. `npm test` takes enough to hold each guarantee, `npm run test:long` all of it:
 * it runs the files that import this one, under PANJI_TESTS=long.
 */
const isLong = process.env['PANJI_TESTS'] === 'long'

/** A count that may vary: of rounds, seeds, rows, callers. */
export const figure = (short: number, long: number): number => (isLong ? long : short)

/** Draws of a property. The seed stays, so the short run's draws are the first of the long one's. */
export const draws = (long: number): number => figure(Math.max(5, Math.ceil(long / 3)), long)

/** One of what is the same for each of them, taken in turn by `place`; in the long run all. */
export const oneOf = <T>(all: readonly T[], place: number): readonly T[] =>
  isLong ? all : all.filter((_, index) => index === place % all.length)
