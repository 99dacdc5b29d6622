/**
 * Makes text from elsewhere (a file name, a column header, a server's reply) safe for messages and terminals: nothing
 * in it can move the cursor, change colours, or reorder or hide the surrounding text.
 */

/**
 * C0, DEL, C1, Unicode's format characters (bidi, zero width, soft hyphen, tags), line separators, and lone
 * surrogates; but not the two joiners, which the scripts of India need.
 */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/**
 * Escapes these characters as `\u001b`; `keep` lists those that may stay, such as the line breaks and tabs of Panji's
 * own layout.
 */
export function visible(text: string, keep = ''): string {
  return text.replace(unseen, (character) =>
    keep.includes(character) ? character : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** Equivalent JSON without invisible characters: JSON itself only escapes C0. */
export const visibleJson = (json: string): string =>
  json.replace(unseen, (character) => (character === '\n' ? character : inUnits(character)))

const inUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The same, with at most `max` characters. */
export function quoted(text: string, max = 80): string {
  const shown = visible(text.slice(0, max))
  return text.length > max || shown.length > max ? `${shown.slice(0, max)}…` : shown
}
