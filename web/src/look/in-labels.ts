/** A sentence of the server, with the words of the form in place of the API's names for its fields. */
import type { FieldShape } from './field-shape.ts'

export function inLabels(sentence: string, fields: readonly Pick<FieldShape, 'name' | 'label'>[]): string {
  return fields.reduce(
    (said, { name, label }) =>
      said.replace(named(name), (_, at?: string) =>
        at === undefined ? `“${label}”` : `“${label}”, entry ${Number(at) + 1},`,
      ),
    sentence,
  )
}

/** Whether a sentence of the server is about the field. */
export const isAbout = (sentence: string, { name }: Pick<FieldShape, 'name'>): boolean => named(name).test(sentence)

/** A name that is a word of English, too, is one of the API's at the start of a sentence alone, after those that it lies in. */
function named(name: string): RegExp {
  const where = name.includes('_') ? '(?<![\\w.])' : '(?<=^|\\. )(?:[a-z]\\w*\\.)*'
  return new RegExp(`${where}${name}(?:\\[(\\d+)\\])?(?![\\w.[])`, 'g')
}
