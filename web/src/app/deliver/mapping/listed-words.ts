/** Words separated by commas. A word that contains a separator is quoted: `"Rao, Ravi", Asha`. */

const quotedPart = String.raw`"(?:[^"\\]|\\.)*"`
const isQuoted = (word: string): boolean => new RegExp(`^${quotedPart}$`).test(word)
const separated = new RegExp(`(?:${quotedPart}|[^,])+`, 'g')

/** Quotes inside a word are part of it. */
const partsOf = (text: string): string[] =>
  (text.match(separated) ?? []).map((word) => word.trim()).filter((word) => word !== '')

export const wordsOf = (text: string): string[] => partsOf(text).map(unquoted)

const unquoted = (word: string): string =>
  isQuoted(word) ? word.slice(1, -1).replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign)) : word

const quoted = (word: string): string => `"${word.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`

/** The unquoted text if all of it is quoted. */
export const wholeWord = (text: string): string | undefined => (isQuoted(text) ? unquoted(text) : undefined)

/** Whether it contains a column in braces. */
export const hasColumns = (text: string): boolean => partsOf(text).some((word) => word.includes('{') && !isQuoted(word))

/** Quotes a word that would otherwise be read differently. @param isRead matches such words. */
export const wordAs = (word: string, isRead: RegExp): string => (isRead.test(word) ? quoted(word) : word)

const readInList = /[,:{\n]|^"|^\s|\s$|^$/
export const listOf = (words: readonly string[]): string => words.map((word) => wordAs(word, readInList)).join(', ')

/** Position of the first colon outside quotes, or -1. */
export function colonIn(line: string): number {
  for (const { 0: part, index } of line.matchAll(new RegExp(`${quotedPart}|:`, 'g'))) if (part === ':') return index
  return -1
}
