/** Addresses of alert channels: their kind, their validity, and what may be shown of them. Pure. */
import { AppError } from '../../errors.ts'
import { faultOfUrl } from '../webhooks/webhook-url.ts'

export const channelKinds = ['webhook', 'slack', 'mail'] as const
export type ChannelKind = (typeof channelKinds)[number]

export interface AlertAddress {
  readonly kind: ChannelKind
  readonly address: string
}

/** @throws AppError UNPROCESSABLE */
export function requireAddress({ kind, address }: AlertAddress, allowPrivate: boolean): void {
  const fault = faultOf({ kind, address }, allowPrivate)
  if (fault !== null) throw new AppError('UNPROCESSABLE', `address ${fault}.`, { extra: { parameter: 'address' } })
}

/** @returns what is wrong with it, as the end of a sentence; null if nothing is. */
function faultOf({ kind, address }: AlertAddress, allowPrivate: boolean): string | null {
  if (kind !== 'mail') return faultOfUrl(address, allowPrivate)
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]+$/.test(address) ? null : 'must be an e-mail address'
}

/** `slack+https://…`, or a URL of Slack itself, accepts Slack messages; any other URL is a webhook. */
export function addressOfUrl(url: string): AlertAddress {
  if (url.startsWith('slack+')) return { kind: 'slack', address: url.slice('slack+'.length) }
  const isSlack = URL.parse(url)?.hostname === 'hooks.slack.com'
  return { kind: isSlack ? 'slack' : 'webhook', address: url }
}

/** A path may be a secret, and the part before the @ is personal. */
export function shownOf({ kind, address }: AlertAddress): string {
  if (kind === 'mail') return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
  return URL.parse(address)?.host ?? '…'
}
