/** A sentence of the server, with the words of the form in place of the API's names for its fields. */
import type { FieldShape } from './field-shape.ts'

/** A name that is a word of English, too, is one of the API's at the start of a sentence alone. */
export function inLabels(sentence: string, fields: readonly Pick<FieldShape, 'name' | 'label'>[]): string {
  return fields.reduce((said, { name, label }) => {
    const where = name.includes('_') ? '(?<![\\w.])' : '(?<=^|\\. )'
    return said.replace(new RegExp(`${where}${name}(?:\\[(\\d+)\\])?(?![\\w.[])`, 'g'), (_, at?: string) =>
      at === undefined ? `“${label}”` : `“${label}”, entry ${Number(at) + 1},`,
    )
  }, sentence)
}
