/**
 * Sends signed notices to the webhook, one after another, with scripted faults: lost, sent twice, out of order, late
 * (after those of the next act), altered after signing. Sent notices are recorded for tests.
 */
import { createHmac } from 'node:crypto'
import type { PendingFault, SandboxFault } from '../contract.ts'
import type { Happening } from './routes.ts'
import { newId, nowSeconds } from './state.ts'

export interface SentNotice {
  readonly event: string
  readonly body: string
  readonly signature: string
  /** Status of the reply; 0 if there was none. */
  readonly status: number
}

const timeoutMs = 10_000
const keptMax = 1_000

export class NoticePost {
  readonly #secret: () => string
  #url: string | undefined
  #faults: { readonly kind: SandboxFault['kind']; left: number }[] = []
  #late: string[] = []
  #sent: SentNotice[] = []

  constructor(secret: () => string) {
    this.#secret = secret
  }

  sendTo(url: string): void {
    this.#url = url
  }

  addFault({ kind, times = 1 }: SandboxFault): void {
    this.#faults.push({ kind, left: times })
  }

  faults(): readonly PendingFault[] {
    return this.#faults.map(({ kind, left }) => ({ fault: { kind }, left }))
  }

  endFaults(): void {
    this.#faults = []
  }

  sent(): readonly SentNotice[] {
    return this.#sent
  }

  reset(): void {
    this.endFaults()
    this.#late = []
    this.#sent = []
  }

  /** Sends all notices of one act; resolves when each was answered or given up. */
  async send(happenings: readonly Happening[]): Promise<void> {
    if (happenings.length === 0) return
    const fault = this.#take()
    const late = this.#late.splice(0)
    const bodies = happenings.map(bodyOf)
    if (fault === 'webhook_lost') bodies.splice(0)
    if (fault === 'webhook_late') this.#late.push(...bodies.splice(0))
    if (fault === 'webhook_reordered') bodies.reverse()
    const sendings = fault === 'webhook_twice' ? [...bodies, ...bodies] : bodies
    for (const body of [...sendings, ...late]) await this.#post(body, fault === 'webhook_altered')
  }

  #take(): SandboxFault['kind'] | undefined {
    const [first] = this.#faults
    if (!first) return undefined
    first.left -= 1
    if (first.left <= 0) this.#faults.shift()
    return first.kind
  }

  async #post(signed: string, altered: boolean): Promise<void> {
    const signature = createHmac('sha256', this.#secret()).update(signed).digest('hex')
    const body = altered ? signed.replace(/"amount":(\d+)/, '"amount":1$1') : signed
    const { event } = JSON.parse(signed) as { event: string }
    const status = this.#url === undefined ? 0 : await deliver(this.#url, body, signature)
    this.#sent.push({ event, body, signature, status })
    if (this.#sent.length > keptMax) this.#sent = this.#sent.slice(-keptMax / 2)
  }
}

function bodyOf({ event, payload }: Happening): string {
  const facts = { entity: 'event', account_id: 'acc_sandbox', event, contains: Object.keys(payload) }
  return JSON.stringify({ ...facts, payload, created_at: nowSeconds() })
}

async function deliver(url: string, body: string, signature: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signature,
    'x-razorpay-event-id': newId('evt'),
  }
  // A receiver that is down or slow is a normal way for notices to get lost.
  const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  )
  await reply?.arrayBuffer().catch(() => undefined)
  return reply?.status ?? 0
}
