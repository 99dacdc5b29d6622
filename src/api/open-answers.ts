/**
 * Streamed responses stay open as long as their reader takes, and each holds some memory. So their number is limited
 * per account and per process, some slots are reserved for paying accounts, and a reader that takes nothing, or hardly
 * anything, is cut off. Unpaid orders have their own few slots.
 */
import type { ServerResponse } from 'node:http'
import { openAnswers } from '../../config/plans.ts'
import { createGate, isRefused, type Refused } from '../limits/gate.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { type OpenAnswers, principalOf } from './route-context.ts'

export interface OpenAnswerBounds {
  readonly whole: { readonly perAccount: number }
  readonly perAccount: { readonly free: number; readonly premium: number }
  readonly inAll: number
  readonly reserved: number
  readonly unpaid: { readonly perAccount: number; readonly inAll: number }
  readonly idleSeconds: number
  readonly slow: { readonly seconds: number; readonly bytesPerSecond: number }
}

export function createOpenAnswers(bounds: OpenAnswerBounds = openAnswers): OpenAnswers {
  const { perAccount, inAll, reserved, unpaid, whole, idleSeconds, slow } = bounds
  const gates = {
    paid: createGate({ places: inAll, reserved }),
    unpaid: createGate({ places: unpaid.inAll }),
    whole: createGate({ places: Number.POSITIVE_INFINITY }),
  }
  return {
    hold(request, reply, kind) {
      const { accountId, plan, isEnterprise } = principalOf(request)
      const pays = plan === 'premium' || isEnterprise
      const atOnceOf = {
        paid: perAccount[pays ? 'premium' : 'free'],
        unpaid: unpaid.perAccount,
        whole: whole.perAccount,
      }
      const atOnce = atOnceOf[kind]
      const entered = gates[kind].tryEnter(accountId, { atOnce, takesReserve: pays })
      if (isRefused(entered)) throw noPlace(entered, kind, atOnce)
      reply.raw.setTimeout(idleSeconds * 1000, () => reply.raw.destroy())
      const forget = endSlowReader(reply.raw, slow)
      reply.raw.once('close', () => {
        forget()
        entered()
      })
    },
    open: () => Object.values(gates).reduce((open, gate) => open + gate.usage().running, 0),
  }
}

const limitOf = { paid: 'openAnswers', unpaid: 'unpaidAnswers', whole: 'wholeAnswers' } as const
const words = { paid: 'exports', unpaid: 'exports of unpaid orders', whole: 'small exports' } as const

function noPlace({ full }: Refused, kind: keyof typeof words, atOnce: number) {
  const what = words[kind]
  const message =
    full === 'share' ? `This account is already reading ${atOnce} ${what}.` : `Too many ${what} are being read.`
  return refusedBy(limitOf[kind], message, { retryAfterSeconds: 5 })
}

const lookMs = 1_000

/**
 * Counts only the time in which bytes wait for their reader: a reader that waits for the server is not slow. @returns a
 * function that ends the watch.
 */
function endSlowReader(raw: ServerResponse, { seconds, bytesPerSecond }: OpenAnswerBounds['slow']): () => void {
  let waited = 0
  let sentBefore = 0
  const timer = setInterval(() => {
    const { socket } = raw
    if (!socket || socket.writableLength === 0) return
    waited += lookMs
    if (waited < seconds * 1000) return
    waited = 0
    const sent = socket.bytesWritten - socket.writableLength
    if (sent - sentBefore < seconds * bytesPerSecond) raw.destroy()
    sentBefore = sent
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
