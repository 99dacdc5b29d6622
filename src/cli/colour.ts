/**
 * Words of state in colour, for a terminal. They are found in the finished text, so that nothing else needs to know of colours:
 * columns stay as wide as they were, and what came from a file was made visible before.
 */
const styles: readonly (readonly [RegExp, string])[] = [
  [/\b(?:succeeded|previewed)\b|^ok(?= )/gm, '32'],
  [/\b(?:needs_approval|cancelled|paused)\b/g, '33'],
  [/\b(?:failed|broken|suspended)\b|^FAULT(?= )/gm, '31'],
]

export const coloured = (text: string): string =>
  styles.reduce((done, [words, style]) => done.replace(words, (word) => `\u001b[${style}m${word}\u001b[0m`), text)
