/** Did-you-mean suggestions: the candidate with the fewest typing errors, ignoring case. */

/** @returns the candidate nearest to `word`, if within `distanceMax` insertions, deletions, swaps or replacements. */
export function nearest(word: string, candidates: readonly string[], distanceMax: number): string | undefined {
  const folded = word.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(folded, candidate.toLowerCase(), distanceMax) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate
}

/** Damerau-Levenshtein distance (an adjacent swap counts as one); anything above `max` is returned as `max + 1`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? max + 1
}
