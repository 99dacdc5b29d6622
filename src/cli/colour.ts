/**
 * Colours status words for a terminal. It works on the finished text, so that nothing else needs to know about colours:
 * column widths are already fixed, and text from files is already escaped.
 */
const styles: readonly (readonly [RegExp, string])[] = [
  [/\b(?:succeeded|previewed)\b|^ok(?= )/gm, '32'],
  [/\b(?:needs_approval|cancelled|paused)\b/g, '33'],
  [/\b(?:failed|broken|suspended)\b|^FAULT(?= )/gm, '31'],
]

export const coloured = (text: string): string =>
  styles.reduce((done, [words, style]) => done.replace(words, (word) => `\u001b[${style}m${word}\u001b[0m`), text)
