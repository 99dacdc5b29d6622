/**
 * Conversations with customers' CRMs that a request waits for: plans and tests. They last as long as the CRM takes, so each
 * process holds a few at a time, one account one of them, and none for longer than a caller waits.
 */
import { AppError } from '../errors.ts'
import { type CrmTalks, principalOf } from './route-context.ts'

const places = 4
const longestMs = 60_000

export function createCrmTalks(): CrmTalks {
  const talking = new Set<string>()
  return {
    async run(request, work) {
      const { accountId } = principalOf(request)
      if (talking.size >= places || talking.has(accountId)) {
        throw new AppError('TOO_MANY_CONCURRENT', 'Another conversation with a CRM is under way; try again shortly', {
          retryAfterSeconds: 5,
        })
      }
      talking.add(accountId)
      try {
        return await work(AbortSignal.timeout(longestMs))
      } finally {
        talking.delete(accountId)
      }
    },
  }
}
