/** An API code in words: `cin_malformed` is “CIN malformed”. */
export function worded(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/\b(cin|din|gstin|json)\b/, (short) => short.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
