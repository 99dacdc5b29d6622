/**
 * Calls to URLs that customers choose: only https and public addresses, no redirects, limited in time and size. The
 * resolved address is checked when the connection is made, so DNS rebinding gains nothing.
 */
import { Agent, request } from 'undici'
import { webhookBounds } from '../../../config/webhooks.ts'
import { publicLookup } from '../../../connectors/crm-address.ts'
import { faultOfUrl } from './webhook-url.ts'

const { timeoutMs } = webhookBounds
const answerBytesMax = 65_536

const toPublic = new Agent({ connect: { lookup: publicLookup, timeout: timeoutMs }, allowH2: false })
const toAny = new Agent({ connect: { timeout: timeoutMs }, allowH2: false })

export interface OutgoingCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
  /** Also allows http and addresses of this machine and its network, for development and tests. */
  readonly allowPrivate: boolean
}

/** @returns the status, or null and why there was no response. */
export async function post(
  call: OutgoingCall,
): Promise<{ readonly status: number | null; readonly error: string | null }> {
  const { url, headers, body, allowPrivate } = call
  const fault = faultOfUrl(url, allowPrivate)
  if (fault !== null) return { status: null, error: `the address ${fault}` }
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
  let status: number | null = null
  try {
    const dispatcher = allowPrivate ? toAny : toPublic
    const response = await request(url, { dispatcher, method: 'POST', headers: { ...headers }, body, signal })
    status = response.statusCode
    // The response body is not used; beyond the limit its connection is closed.
    await response.body.dump({ limit: answerBytesMax, signal })
    return { status, error: null }
  } catch (error) {
    if (status !== null) return { status, error: null }
    return { status: null, error: signal.aborted ? 'no answer came in time' : reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : 'broken'
  return `the connection failed (${code})`
}
