/** What expires and must be renewed in time: API keys in use, and the certificate that browsers see. */
import { connect } from 'node:tls'
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'

export type EndingMetrics = ReturnType<typeof endingMetrics>

const waitMs = 5_000

export function endingMetrics(registers: Registry[]) {
  return {
    keys: new Gauge({
      name: 'panji_api_keys_ending',
      help: 'API keys that were used in the last week and expire in the next one.',
      registers,
    }),
    certificate: new Gauge({
      name: 'panji_certificate_left_seconds',
      help: 'Time until the TLS certificate of PANJI_PUBLIC_URL expires; negative if it has expired.',
      labelNames: ['host'] as const,
      registers,
    }),
  }
}

export async function setEndingKeys(tx: Tx, { keys }: EndingMetrics): Promise<void> {
  const [ending] = await tx.query<{ keys: number }>('SELECT access.count_ending_keys() AS keys')
  keys.set(ending?.keys ?? 0)
}

/** Reports nothing for a host that does not answer: other checks notice that. */
export async function setCertificate({ certificate }: EndingMetrics, publicUrl: string | undefined): Promise<void> {
  certificate.reset()
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (url?.protocol !== 'https:') return
  const end = await endOfCertificate(url)
  if (end !== undefined) certificate.set({ host: url.host }, (end.getTime() - Date.now()) / 1000)
}

/** Ignores who signed it: an expired or untrusted certificate is reported as well. */
function endOfCertificate({ hostname, port }: URL): Promise<Date | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port) || 443, servername: host, rejectUnauthorized: false })
    const end = (date?: Date) => {
      socket.destroy()
      resolve(date)
    }
    socket.setTimeout(waitMs, () => end())
    socket.once('error', () => end())
    socket.once('secureConnect', () => end(new Date(socket.getPeerCertificate().valid_to)))
  })
}
