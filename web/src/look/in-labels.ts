/** Replaces the API's field names in a server message with the labels of the form. */
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

export const isAbout = (sentence: string, { name }: Pick<FieldShape, 'name'>): boolean => named(name).test(sentence)

/**
 * A field name that is also an English word is replaced only at the start of a sentence, after the names that contain
 * it.
 */
function named(name: string): RegExp {
  const where = name.includes('_') ? '(?<![\\w.])' : '(?<=^|\\. )(?:[a-z]\\w*\\.)*'
  return new RegExp(`${where}${name}(?:\\[(\\d+)\\])?(?![\\w.[])`, 'g')
}
