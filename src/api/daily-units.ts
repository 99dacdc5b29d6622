/** The unit of a daily limit that a call has taken, until it is returned or known to be spent. */
import type { FastifyRequest } from 'fastify'
import type { DailyUnit } from '../access/admission.ts'

const takenUnits = new WeakMap<FastifyRequest, DailyUnit>()

export function noteUnit(request: FastifyRequest, unit: DailyUnit): void {
  takenUnits.set(request, unit)
}

/** @returns the unit that the call still holds, once: the caller must return it. */
export function giveUp(request: FastifyRequest): DailyUnit | undefined {
  const unit = takenUnits.get(request)
  takenUnits.delete(request)
  return unit
}

/** Marks the unit of the call as spent: it is not returned if the call fails. */
export function keepUnit(request: FastifyRequest): void {
  takenUnits.delete(request)
}
