/** A text without the characters at either end that the pattern takes; the pattern is asked for one character at a time. */
export function trimEdges(
  text: string,
  { before, behind }: { readonly before: RegExp; readonly behind: RegExp },
): string {
  const signs = [...text]
  const from = signs.findIndex((sign) => !before.test(sign))
  const to = signs.findLastIndex((sign) => !behind.test(sign))
  return from === -1 ? '' : signs.slice(from, to + 1).join('')
}
