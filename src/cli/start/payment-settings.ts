/**
 * Where online payments go: to the processor of the environment, or in the sample world to the sandbox processor, which
 * is then given the URL for its notices.
 */
import { z } from 'zod'
import { sampleCreditPaise } from '../../../config/sales.ts'
import { sampleSeller } from '../../../config/seller.ts'
import { Secret } from '../../domain/secret.ts'
import type { RazorpaySettings } from '../../orders/payments/razorpay.ts'
import type { CliSettings, SandboxServer } from '../settings.ts'
import { keepSampleFile, readSampleFile } from './sample-file.ts'

const SandboxPayments = z.object({
  key_id: z.string(),
  key_secret: z.string(),
  webhook_secret: z.string(),
  base_url: z.string(),
})
export type SandboxPayments = z.infer<typeof SandboxPayments>

/** Commands find the sandbox by what `start` stored about it. */
export function paymentSettings({
  razorpay,
  seller,
  disputeHold,
  dataDir,
}: Pick<CliSettings, 'razorpay' | 'seller' | 'disputeHold' | 'dataDir'>): RazorpaySettings | undefined {
  if (razorpay) return razorpay
  const kept = SandboxPayments.safeParse(readSampleFile(dataDir)?.payments)
  return kept.success ? { ...settingsOf(kept.data), seller: seller ?? sampleSeller, disputeHold } : undefined
}

/** The sandboxes may listen on another port than at the last start. */
export function keepSandboxPayments({ dataDir }: CliSettings, { processor, settings }: SandboxServer): void {
  if (processor === undefined) return
  keepSampleFile(dataDir, { ...readSampleFile(dataDir), payments: SandboxPayments.parse(settings(processor)) })
}

/** @returns the payment page, for the banner. */
export async function sendNoticesTo(apiUrl: string, { processor, controlUrl, controlToken }: SandboxServer) {
  if (processor === undefined) return
  const reply = await fetch(`${controlUrl}/notices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ crm: processor, url: `${apiUrl}/webhooks/payments` }),
  })
  if (!reply.ok) throw new Error(`the payment sandbox rejected the URL for its notices: ${reply.status}`)
}

function settingsOf(sandbox: SandboxPayments): Omit<RazorpaySettings, 'seller'> {
  return {
    keyId: sandbox.key_id,
    keySecret: new Secret(sandbox.key_secret),
    webhookSecrets: [new Secret(sandbox.webhook_secret)],
    creditPaise: sampleCreditPaise,
    baseUrl: sandbox.base_url,
    payPages: `${sandbox.base_url}/pay`,
  }
}
