/**
 * How deeply a text nests lists and objects, how many entries they have and how many names, measured before it is
 * parsed: deep nesting costs a parser many times its size, and entries are expensive to validate.
 */

/** The deepest body that any operation accepts has some eight levels. */
export const depthMax = 64

const [comma, colon, quote, backslash, openList, openObject, closeList, closeObject] = [...',:"\\[{]}'].map((each) =>
  each.charCodeAt(0),
)

/** Reads once from left to right, up to the limit; for invalid JSON it may return either. */
export function jsonShape(text: string, entriesMax: number): { excess?: 'depth' | 'entries'; names: number } {
  let depth = 0
  let names = 0
  let commas = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inText) {
      if (code === backslash) at += 1
      else if (code === quote) inText = false
    } else if (code === quote) inText = true
    else if (code === openList || code === openObject) {
      depth += 1
      if (depth > depthMax) return { excess: 'depth', names }
    } else if (code === closeList || code === closeObject) depth -= 1
    else if (code === colon) names += 1
    else if (code === comma && ++commas >= entriesMax) return { excess: 'entries', names }
  }
  return { names }
}
