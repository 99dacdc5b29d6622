/** Connectors that take what an administrator changed for a fault of the leads. */
import { AppError } from '../../../src/errors.ts'
import { type Mutation, session } from './wrappers.ts'

const rejected = {
  status: 'rejected',
  code: 'INVALID_FIELD',
  field: null,
  message: 'the field takes no value',
} as const

export const changeMutations: readonly Mutation[] = [
  {
    fault: 'rejects every lead where the field of the identity holds none',
    breaks:
      'an identity field that may not be written stops a push before anything is written, set-up says so, and once it is mended all leads go in',
    mutate: session((real) => ({
      push: (leads) =>
        real.push(leads).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'DESTINATION_INVALID') return leads.map(() => rejected)
          throw error
        }),
    })),
  },
  {
    fault: 'holds to the fields that it asked for first',
    breaks: 'a field that may not be written since the session began keeps no lead of it out',
    mutate: session((real) => {
      let pushes = 0
      return {
        async push(leads) {
          pushes += 1
          return pushes === 1 ? real.push(leads) : leads.map(() => rejected)
        },
      }
    }),
  },
]
