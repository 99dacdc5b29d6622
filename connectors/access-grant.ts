/** Access tokens that all sessions of a process share: bought once and renewed once, whoever asks. */
import { createHash } from 'node:crypto'
import type { CrmNetwork, CrmReply } from './crm-network.ts'

export interface Bought<Access> {
  readonly access: Access
  readonly goodForMs: number
}

/** Renewed this long before its end, so that no call leaves with a token that dies on the way. */
const marginMs = 60_000
const answerBytesMax = 64 * 1024
const neverAborted = new AbortController().signal

/** @param buy asks the vendor; it is bound to no session, since others wait for it. */
type Buy<Access> = () => Promise<Bought<Access>>

export class AccessGrant<Access> {
  #access: Access | undefined
  #expiresAtMs = 0
  #buying: Promise<Access> | undefined

  async current(buy: Buy<Access>, signal: AbortSignal): Promise<Access> {
    if (this.#access !== undefined && Date.now() < this.#expiresAtMs - marginMs) return this.#access
    return this.#buyOnce(buy, signal)
  }

  /** Called when the CRM refused `stale`; another session may have renewed meanwhile. */
  async renew(stale: Access, buy: Buy<Access>, signal: AbortSignal): Promise<Access> {
    if (this.#access !== undefined && this.#access !== stale) return this.#access
    return this.#buyOnce(buy, signal)
  }

  #buyOnce(buy: Buy<Access>, signal: AbortSignal): Promise<Access> {
    this.#buying ??= this.#buy(buy).finally(() => {
      this.#buying = undefined
    })
    return untilAborted(this.#buying, signal)
  }

  async #buy(buy: Buy<Access>): Promise<Access> {
    const { access, goodForMs } = await buy()
    this.#access = access
    this.#expiresAtMs = Date.now() + goodForMs
    return access
  }
}

/** By which a grant is found again: what bought it, in a form that tells nothing of it. */
export const grantKey = (credentials: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('hex')

/** To where a vendor gives out tokens. */
export function askForToken(
  network: CrmNetwork,
  url: string,
  form: Readonly<Record<string, string>>,
  { timeoutMs, signal = neverAborted }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<CrmReply> {
  return network.send({
    ...{ method: 'POST', url, signal, timeoutMs, answerBytesMax },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
}

/** A session that is stopped goes at once, and the work goes on for the others. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
