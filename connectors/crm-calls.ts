/**
 * One call to a CRM with a bearer token: waits for the gate, sends, renews an expired token once. The result says
 * whether the CRM answered, whether the outcome of the call is unknown, or whether nothing was written.
 */
import { AppError } from '../src/errors.ts'
import { type CallResult, type Refused, stopped } from './call-result.ts'
import type { SessionOptions } from './contract.ts'
import { type CrmNetwork, type CrmReply, mayHaveWritten } from './crm-network.ts'

export interface Tokens<Access> {
  /** @throws AppError CRM_UNAUTHORIZED or CRM_UNAVAILABLE. */
  current(signal: AbortSignal): Promise<Access>
  /** Called when the CRM refused `stale`. @returns null if it cannot be renewed. */
  renew(stale: Access, signal: AbortSignal): Promise<Access | null>
}

interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The token was refused. @param refusal the result if a renewed token is refused too. */
export interface Expired {
  readonly kind: 'expired'
  readonly refusal: Refused
}

export interface CallWays<Request, Access, Answer> {
  readonly network: CrmNetwork
  readonly tokens: Tokens<Access>
  readonly session: Pick<SessionOptions, 'gate' | 'signal'>
  readonly timeoutMs: number
  outgoing(request: Request, access: Access): Outgoing
  read(reply: CrmReply, request: Request): CallResult<Answer> | Expired
}

export class CrmCalls<Request, Access, Answer extends { readonly kind: 'answer' }> {
  readonly #ways: CallWays<Request, Access, Answer>

  constructor(ways: CallWays<Request, Access, Answer>) {
    this.#ways = ways
  }

  async call(request: Request): Promise<CallResult<Answer>> {
    const { tokens, session } = this.#ways
    const { signal } = session
    try {
      const access = await tokens.current(signal)
      const result = await this.#send(request, access)
      if (result.kind !== 'expired') return result
      const renewed = await tokens.renew(access, signal)
      const again = renewed === null ? result : await this.#send(request, renewed)
      return again.kind === 'expired' ? again.refusal : again
    } catch (error) {
      // Thrown by the gate or the sign-in before anything was sent. It must not discard rows that are already
      // acknowledged, so the caller decides what it means.
      if (error instanceof AppError) return { kind: 'refused', error }
      if (signal.aborted) return stopped()
      throw error
    }
  }

  async #send(request: Request, access: Access): Promise<CallResult<Answer> | Expired> {
    const { network, session, timeoutMs } = this.#ways
    const { gate, signal } = session
    await gate.take(1, signal)
    if (signal.aborted) return stopped()
    const { body, headers, ...call } = this.#ways.outgoing(request, access)
    try {
      const reply = await network.send({
        ...{ ...call, signal, timeoutMs },
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return this.#ways.read(reply, request)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return mayHaveWritten(error) ? { kind: 'cut', message: error.message } : { kind: 'refused', error }
    }
  }
}
