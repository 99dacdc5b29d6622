/**
 * Text that somebody else wrote (a name of a file, a column's header, a server's answer) as it may stand in a message or
 * on a terminal: nothing in it moves the cursor, colours the screen, reorders or hides what stands beside it.
 */

/**
 * C0, DEL, C1, what Unicode calls format (bidi, zero width, soft hyphen, tags), separators of lines, lone surrogates;
 * but not the two joiners, which the scripts of India are written with.
 */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Those are written out, `\u001b`; `keep` names what may stay, line breaks and tabs of Panji's own layout. */
export function visible(text: string, keep = ''): string {
  return text.replace(unseen, (character) =>
    keep.includes(character) ? character : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** A document of JSON that means the same and shows nothing unseen: JSON itself escapes C0 alone. */
export const visibleJson = (json: string): string =>
  json.replace(unseen, (character) => (character === '\n' ? character : inUnits(character)))

const inUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The same, and no longer than `max` characters. */
export function quoted(text: string, max = 80): string {
  const shown = visible(text.slice(0, max))
  return text.length > max || shown.length > max ? `${shown.slice(0, max)}…` : shown
}
