/** Splits a phrase into words, numbers and signs, each with its position in the input. */

export interface Token {
  readonly kind: 'word' | 'number' | 'day' | 'years' | 'identifier' | 'quoted' | 'comparison' | 'sign'
  /** In lower case; numbers without commas; quoted text without quotes and as typed. */
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Tried in this order at each position: longer and rarer shapes first. */
const shapes: readonly (readonly [Token['kind'], RegExp])[] = [
  ['quoted', /"([^"]+)"|'([^']+)'|[“]([^”]+)[”]/y],
  ['identifier', /[lu]\d{5}[a-z]{2}\d{4}[a-z]{3}\d{6}\b|\d{2}[a-z]{5}\d{4}[a-z][a-z\d]z[a-z\d]\b/iy],
  ['day', /\d{4}-\d{2}-\d{2}(?!\d)|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}(?!\d)/y],
  ['years', /(?:19|20)\d{2}-\d{2}(?!\d)/y],
  ['number', /\d+(?:,\d+)*(?:\.\d+)?/y],
  // Vowel signs of Indian scripts are combining marks, with joiners in between.
  ['word', /\p{L}[\p{L}\p{M}\u200c\u200d]*/uy],
  ['comparison', /[<>!=]=|=[<>]|[<>=≥≤≠]/uy],
  ['sign', /[+&,–-]/y],
]

export function tokensOf(phrase: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < phrase.length; ) {
    const token = tokenAt(phrase, at)
    if (token) tokens.push(token)
    at = token?.to ?? at + 1
  }
  return tokens
}

function tokenAt(phrase: string, at: number): Token | undefined {
  for (const [kind, shape] of shapes) {
    shape.lastIndex = at
    const found = shape.exec(phrase)
    if (!found) continue
    const to = at + found[0].length
    if (kind === 'quoted') return { kind, text: found[1] ?? found[2] ?? found[3] ?? '', from: at, to }
    return { kind, text: kind === 'number' ? found[0].replaceAll(',', '') : found[0].toLowerCase(), from: at, to }
  }
  return undefined
}

/** The words of a name as tokens of a phrase: `J&K` and `e-mail` are two. */
export const wordsOfText = (text: string): readonly string[] =>
  tokensOf(text).flatMap(({ kind, text: word }) => (kind === 'sign' ? [] : [word]))
