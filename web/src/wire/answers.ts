/** Whether Panji answered at all: it may be starting again, or the network be away. */
import { PanjiApiError } from '../../../client/api-error.ts'

const ofProxies = [502, 503, 504]

export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof PanjiApiError ? ofProxies.includes(failure.status) : failure instanceof TypeError
