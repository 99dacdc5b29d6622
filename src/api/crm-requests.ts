/**
 * Requests that wait for a customer's CRM: plans and tests. They last as long as the CRM takes, so each process runs
 * only a few at a time, one per account, and none for longer than a caller waits.
 */
import { crmTalkBounds } from '../../config/http-bounds.ts'
import { createGate, isRefused } from '../limits/gate.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { type CrmRequests, principalOf } from './route-context.ts'

export function createCrmRequests(): CrmRequests {
  const { inAll, perAccount, longestMs } = crmTalkBounds
  const gate = createGate({ places: inAll })
  return {
    async run(request, work, accountId = principalOf(request).accountId) {
      const entered = gate.tryEnter(accountId, { atOnce: perAccount })
      if (isRefused(entered)) {
        const message = 'Another request to a CRM is in progress; try again shortly'
        throw refusedBy('crmRequests', message, { retryAfterSeconds: 5 })
      }
      try {
        return await work(AbortSignal.timeout(longestMs))
      } finally {
        entered()
      }
    },
  }
}
