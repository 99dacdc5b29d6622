/** The form fields that an error is about, so that they are marked and the first gets the focus. */
import { PanjiApiError } from '../../../client/api-error.ts'
import { sentenceOf } from './failure.tsx'
import type { FieldShape } from './field-shape.ts'
import { isAbout } from './in-labels.ts'

export interface Fault {
  readonly failure: unknown
  readonly id: string
}

/** A query's error names a position, and no field. */
const isOfQuery = ({ code }: PanjiApiError, { name }: FieldShape): boolean =>
  name === 'query' && code.startsWith('QUERY_')

export const isFaulty = (failure: unknown, field: FieldShape): boolean =>
  failure instanceof PanjiApiError &&
  [400, 409, 422].includes(failure.status) &&
  (isOfQuery(failure, field) || isAbout(sentenceOf(failure), field))
