/** Sends e-mail over SMTP. TLS with a valid certificate is required for every server except one on this machine. */
import { createTransport } from 'nodemailer'
import type { Secret } from '../../domain/secret.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  readonly url: Secret
  /** `Panji <panji@example.in>`. */
  readonly from: string
}

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Unchanged when it is sent again, so that mail programs show it once. */
  readonly id: string
}

/** `refused`: permanent, retrying does not help. */
export type MailOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly refused: boolean; readonly reason: string }

export interface Mailer {
  send(mail: OutgoingMail): Promise<MailOutcome>
  close(): void
}

const waitMs = 10_000

export function createMailer({ url, from }: SmtpSettings): Mailer {
  const address = new URL(url.reveal())
  const isSecure = address.protocol === 'smtps:'
  const isHere = isLoopback(address.hostname)
  const transport = createTransport({
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: Number(address.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: !isSecure && !isHere,
    ignoreTLS: isHere && !isSecure,
    ...(address.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) } }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: 3 * waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from
    .slice(from.lastIndexOf('@') + 1)
    .replace('>', '')
    .trim()
  return {
    async send({ to, subject, text, id }) {
      try {
        await transport.sendMail({
          ...{ from, to: { name: '', address: to }, subject, text },
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { sent: true }
      } catch (error) {
        return { sent: false, ...reasonOf(error) }
      }
    },
    close: () => transport.close(),
  }
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** The server's own message may repeat addresses; its code says enough. */
function reasonOf(error: unknown): { readonly refused: boolean; readonly reason: string } {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  // A rejected recipient is final; rejected credentials or senders can be fixed.
  const refused = code === 'EENVELOPE' && status !== null && status >= 500
  return {
    refused,
    reason: [typeof code === 'string' ? code : 'FAILED', status].filter((part) => part !== null).join(' '),
  }
}
