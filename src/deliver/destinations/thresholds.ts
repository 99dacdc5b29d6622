/** Match scores from which an existing record is adopted for a new lead, and from which a person is asked. */
import { AppError } from '../../errors.ts'

export interface Thresholds {
  /** null: none is adopted without a plan. */
  readonly adoptFrom: number | null
  /** null: a person is never asked. */
  readonly askFrom: number | null
}

export const thresholdMax = 100
/** Default for a new destination: reached by an address, a number, or a name and a place that agree. */
export const usualAskFrom = 50

/** @throws AppError DESTINATION_INVALID */
export function readThreshold(name: 'adopt_from' | 'ask_from', score: number | null): number | null {
  if (score === null || (Number.isInteger(score) && score >= 1 && score <= thresholdMax)) return score
  throw new AppError('DESTINATION_INVALID', `${name}: ${score} is not a whole number from 1 to ${thresholdMax}`)
}

/** @throws AppError DESTINATION_INVALID */
export function requireOrder({ adoptFrom, askFrom }: Thresholds): void {
  if (adoptFrom === null || askFrom === null || askFrom <= adoptFrom) return
  throw new AppError('DESTINATION_INVALID', 'ask_from: a person is asked below adopt_from, so it cannot be above it')
}

export const matchesNew = ({ adoptFrom, askFrom }: Thresholds): boolean => adoptFrom !== null || askFrom !== null
