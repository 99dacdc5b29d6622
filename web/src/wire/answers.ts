/** Whether Panji answered at all: it may be starting again, or the network be away. */
import { PanjiApiError } from '../../../client/api-error.ts'

const ofProxies = [502, 503, 504]

/** Of what stands before Panji, or of one that is not ready: what was asked for may have happened. */
export const isOfProxy = (status: number): boolean => ofProxies.includes(status)

export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof PanjiApiError ? isOfProxy(failure.status) : failure instanceof TypeError
