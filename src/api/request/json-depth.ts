/**
 * How deep a text nests lists and objects, and how many entries they have, told before it is parsed: deep nesting costs a
 * parser many times what its bytes do, and entries cost whoever validates them.
 */

/** The deepest body that any operation takes has some eight levels. */
export const depthMax = 64

const [comma, quote, backslash, openList, openObject, closeList, closeObject] = [...',"\\[{]}'].map((each) =>
  each.charCodeAt(0),
)

/** Read once from left to right; of what is no JSON it may say either. */
export function jsonExcess(text: string, entriesMax: number): 'depth' | 'entries' | undefined {
  let depth = 0
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
      if (depth > depthMax) return 'depth'
    } else if (code === closeList || code === closeObject) depth -= 1
    else if (code === comma && ++commas >= entriesMax) return 'entries'
  }
  return undefined
}
