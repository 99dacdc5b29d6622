/** The unit of a daily limit that a call has taken, until it is given back or known to be spent. */
import type { FastifyRequest } from 'fastify'
import type { DailyUnit } from '../access/admission.ts'

const takenUnits = new WeakMap<FastifyRequest, DailyUnit>()

export function noteUnit(request: FastifyRequest, unit: DailyUnit): void {
  takenUnits.set(request, unit)
}

/** @returns the unit that the call still holds, once: whoever asks gives it back. */
export function giveUp(request: FastifyRequest): DailyUnit | undefined {
  const unit = takenUnits.get(request)
  takenUnits.delete(request)
  return unit
}

/** The call has cost its unit already: it does not come back when the call fails. */
export function keepUnit(request: FastifyRequest): void {
  takenUnits.delete(request)
}
