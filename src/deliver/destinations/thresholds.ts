/** From which score on a record that the customer had before is taken for a new lead, and from which on a person is asked. */
import { AppError } from '../../errors.ts'

export interface Thresholds {
  /** Null: none is taken without a plan. */
  readonly adoptFrom: number | null
  /** Null: nobody is asked. */
  readonly askFrom: number | null
}

export const thresholdMax = 100
/** Of a new destination: an address, a number, or a name and a place that agree. */
export const usualAskFrom = 50

/** @throws AppError DESTINATION_INVALID */
export function readThreshold(name: 'adopt_from' | 'ask_from', score: number | null): number | null {
  if (score === null || (Number.isInteger(score) && score >= 1 && score <= thresholdMax)) return score
  throw new AppError('DESTINATION_INVALID', `${name}: ${score} is no whole number from 1 to ${thresholdMax}`)
}

/** @throws AppError DESTINATION_INVALID */
export function requireOrder({ adoptFrom, askFrom }: Thresholds): void {
  if (adoptFrom === null || askFrom === null || askFrom <= adoptFrom) return
  throw new AppError('DESTINATION_INVALID', 'ask_from: a person is asked below adopt_from, so it cannot be above it')
}

export const matchesNew = ({ adoptFrom, askFrom }: Thresholds): boolean => adoptFrom !== null || askFrom !== null
