/** Seeds in the order in which a planted fault is looked for: the one that found it last, then all others. */
export function foundFirst(finder: number, first: number, last: number): readonly number[] {
  const seeds = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  return seeds.includes(finder) ? [finder, ...seeds.filter((seed) => seed !== finder)] : seeds
}
