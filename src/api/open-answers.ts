/**
 * Answers that are sent as they are read stay open as long as their caller takes for them. Each holds some memory meanwhile,
 * so of one account and of a process only so many are open at once, and a caller who takes nothing is cut off.
 */
import { openAnswers } from '../../config/plans.ts'
import { AppError } from '../errors.ts'
import { type OpenAnswers, principalOf } from './route-context.ts'

type Bounds = { readonly [key in keyof typeof openAnswers]: number }

export function createOpenAnswers({ perAccount, inAll, idleSeconds }: Bounds = openAnswers): OpenAnswers {
  const openOf = new Map<string, number>()
  let open = 0
  return {
    hold(request, reply) {
      const { accountId } = principalOf(request)
      const own = openOf.get(accountId) ?? 0
      if (own >= perAccount) throw refusal(`${perAccount} exports of this account are being read already.`)
      if (open >= inAll) throw refusal('Too many exports are being read.')
      openOf.set(accountId, own + 1)
      open += 1
      reply.raw.setTimeout(idleSeconds * 1000, () => reply.raw.destroy())
      reply.raw.once('close', () => {
        const left = (openOf.get(accountId) ?? 1) - 1
        if (left === 0) openOf.delete(accountId)
        else openOf.set(accountId, left)
        open -= 1
      })
    },
    open: () => open,
  }
}

const refusal = (message: string): AppError => new AppError('TOO_MANY_CONCURRENT', message, { retryAfterSeconds: 5 })
