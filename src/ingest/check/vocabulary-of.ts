import type { Source } from '../../../config/sources/source.ts'

/** @returns the vocabulary of a column's words; undefined if it has none. */
export function vocabularyOf({ columns }: Pick<Source, 'columns'>, column: string): string | undefined {
  const rule = columns[column]
  if (rule?.kind === 'word') return rule.vocabulary
  return rule?.kind === 'place' && rule.part === 'state' ? 'state' : undefined
}
