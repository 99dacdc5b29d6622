/** Whether Panji answered at all: it may be restarting, or the network may be down. */
import { PanjiApiError } from '../../../client/api-error.ts'

const ofProxies = [502, 503, 504]

/** From a proxy in front of Panji, or while Panji is not ready: the request may have been executed. */
export const isOfProxy = (status: number): boolean => ofProxies.includes(status)

export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof PanjiApiError ? isOfProxy(failure.status) : failure instanceof TypeError
