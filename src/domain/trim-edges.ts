/**
 * Removes characters that match the patterns from both ends of a text; each pattern is tested on one character at a
 * time.
 */
export function trimEdges(
  text: string,
  { before, behind }: { readonly before: RegExp; readonly behind: RegExp },
): string {
  const signs = [...text]
  const from = signs.findIndex((sign) => !before.test(sign))
  const to = signs.findLastIndex((sign) => !behind.test(sign))
  return from === -1 ? '' : signs.slice(from, to + 1).join('')
}
