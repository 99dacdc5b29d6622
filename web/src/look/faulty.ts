/** Which fields of a form a refusal is about, so that they are marked and the first is gone to. */
import { PanjiApiError } from '../../../client/api-error.ts'
import { sentenceOf } from './failure.tsx'
import type { FieldShape } from './field-shape.ts'
import { isAbout } from './in-labels.ts'

export interface Fault {
  readonly failure: unknown
  /** Of the sentence that says what is wrong. */
  readonly id: string
}

/** A query is refused by its place in it, and not by its name. */
const isOfQuery = ({ code }: PanjiApiError, { name }: FieldShape): boolean =>
  name === 'query' && code.startsWith('QUERY_')

export const isFaulty = (failure: unknown, field: FieldShape): boolean =>
  failure instanceof PanjiApiError &&
  [400, 409, 422].includes(failure.status) &&
  (isOfQuery(failure, field) || isAbout(sentenceOf(failure), field))
