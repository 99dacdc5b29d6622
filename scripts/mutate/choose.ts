/** Selects the mutants of a run: the same for the same code, seed, sample and slice. */
import { createHash } from 'node:crypto'
import type { Mutant } from './mutation.ts'

export interface Choice {
  readonly seed: string
  /** The maximum of all, before slicing. */
  readonly sample: number
  /** The number of slices, and the one to run, from 1. */
  readonly slice: number
  readonly slices: number
}

export function choose(mutants: readonly Mutant[], { seed, sample, slice, slices }: Choice): Mutant[] {
  const place = new Map(
    mutants.map(({ id }) => [id, createHash('sha256').update(`${seed}\0${id}`).digest('hex')] as const),
  )
  const placeOf = ({ id }: Mutant): string => place.get(id) ?? ''
  return mutants
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .slice(0, sample)
    .filter((_, index) => index % slices === slice - 1)
}

/** @param text such as `3/20` @throws Error if it is no slice */
export function sliceOf(text: string): Pick<Choice, 'slice' | 'slices'> {
  const [slice, slices] = text.split('/').map(Number)
  if (!Number.isInteger(slice) || !Number.isInteger(slices)) throw new Error(`--slice ${text} is not of the form 3/20`)
  if (slice === undefined || slices === undefined || slice < 1 || slice > slices)
    throw new Error(`--slice ${text}: the first number goes from 1 to the second`)
  return { slice, slices }
}
