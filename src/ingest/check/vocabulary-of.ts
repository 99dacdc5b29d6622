/** A column of a source in, the vocabulary that its words are of out. */
import type { Source } from '../../../config/sources/source.ts'

/** @returns undefined for a column whose words are of none. */
export function vocabularyOf({ columns }: Pick<Source, 'columns'>, column: string): string | undefined {
  const rule = columns[column]
  if (rule?.kind === 'word') return rule.vocabulary
  return rule?.kind === 'place' && rule.part === 'state' ? 'state' : undefined
}
