/** Access tokens shared by all sessions of a process: fetched once and renewed once, whichever session asks. */
import { createHash } from 'node:crypto'
import type { CrmNetwork, CrmReply } from './crm-network.ts'

export interface Bought<Access> {
  readonly access: Access
  readonly goodForMs: number
}

/** Renewed this long before expiry, so that no call is sent with a token that expires on the way. */
const marginMs = 60_000
const answerBytesMax = 64 * 1024
const neverAborted = new AbortController().signal

/** @param buy fetches the token from the vendor; not bound to a session, since others wait for it too. */
type Buy<Access> = () => Promise<Bought<Access>>

export class AccessGrant<Access> {
  #access: Access | undefined
  #expiresAtMs = 0
  #buying: Promise<Access> | undefined

  async current(buy: Buy<Access>, signal: AbortSignal): Promise<Access> {
    if (this.#access !== undefined && Date.now() < this.#expiresAtMs - marginMs) return this.#access
    return this.#buyOnce(buy, signal)
  }

  /** Called when the CRM refused `stale`; another session may have renewed the token already. */
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

/** Key of a grant: a hash of the credentials that obtained it. */
export const grantKey = (credentials: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('hex')

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

/** An aborted session stops waiting at once, while the work continues for the others. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
