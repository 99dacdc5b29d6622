/** Alert channels of operators: added with a sealed address, listed without it, removed. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Queryable, Tx } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { seal, unseal } from '../../secrets/seal.ts'
import { alertAddressColumn, alertSecretColumn } from '../../secrets/sealed-columns.ts'
import { type AlertAddress, type ChannelKind, requireAddress, shownOf } from './alert-address.ts'

export interface Channel {
  readonly channelId: string
  readonly kind: ChannelKind
  /** The visible part of its address. */
  readonly shown: string
  readonly origin: 'console' | 'environment'
  readonly createdAt: Date
  readonly createdBy: string
  readonly lastSentAt: Date | null
  /** Messages that were given up. */
  readonly failed: number
}

export interface SealedChannel {
  readonly channelId: string
  readonly address: Buffer
  readonly secret: Buffer
}

const channelsMax = 20
const addressUse = (channelId: string) => ({ purpose: alertAddressColumn.purpose, boundTo: channelId })
const secretUse = (channelId: string) => ({ purpose: alertSecretColumn.purpose, boundTo: channelId })

export interface NewChannel extends AlertAddress, Pick<Channel, 'origin' | 'createdBy'> {
  /** Also allows addresses of this machine and its network. */
  readonly allowPrivate: boolean
}

/**
 * @returns the secret that signs messages to a webhook, shown only now. @throws AppError UNPROCESSABLE, CONFLICT where
 * there are too many
 */
export async function addChannel(
  tx: Tx,
  secretKey: Secret,
  given: NewChannel,
): Promise<{ readonly channelId: string; readonly secret: string | null }> {
  requireAddress(given, given.allowPrivate)
  const { kind, address, origin, createdBy } = given
  const key = await sealingKey(tx, secretKey)
  const [used] = await tx.query<{ channels: number }>(
    'SELECT count(*) AS channels FROM runtime.alert_channel WHERE removed_at IS NULL',
  )
  if ((used?.channels ?? 0) >= channelsMax) {
    throw new AppError('CONFLICT', `There are already ${channelsMax} channels; remove one first.`)
  }
  const channelId = randomUUID()
  const secret = kind === 'webhook' && origin === 'console' ? `whsec_${randomBytes(32).toString('base64')}` : null
  await tx.execute(
    `INSERT INTO runtime.alert_channel (channel_id, kind, shown, address_encrypted, secret_encrypted, origin, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[channelId, kind, shownOf(given), seal(address, addressUse(channelId), key)],
      ...[secret === null ? Buffer.alloc(0) : seal(secret, secretUse(channelId), key), origin, createdBy],
    ],
  )
  return { channelId, secret }
}

/** Oldest first. */
export function listChannels(db: Queryable): Promise<Channel[]> {
  return db.query<Channel>(
    `SELECT channel_id AS "channelId", kind, shown, origin, created_at AS "createdAt", created_by AS "createdBy",
       (SELECT max(sent_at) FROM runtime.alert_message m WHERE m.channel_id = c.channel_id) AS "lastSentAt",
       (SELECT count(*) FROM runtime.alert_message m WHERE m.channel_id = c.channel_id AND state = 'failed') AS failed
     FROM runtime.alert_channel c WHERE removed_at IS NULL ORDER BY created_at, channel_id`,
  )
}

/**
 * Notifications that are waiting for it are dropped. @throws AppError NOT_FOUND, CONFLICT for one of the environment
 */
export async function removeChannel(tx: Tx, channelId: string): Promise<void> {
  const [channel] = isUuid(channelId)
    ? await tx.query<{ origin: string }>(
        'SELECT origin FROM runtime.alert_channel WHERE channel_id = $1 AND removed_at IS NULL',
        [channelId],
      )
    : []
  if (!channel) throw new AppError('NOT_FOUND', `There is no channel ${channelId}.`)
  if (channel.origin === 'environment') {
    const message = 'This channel comes from the environment; take it out of PANJI_ALERT_URL or PANJI_ALERT_MAIL.'
    throw new AppError('CONFLICT', message)
  }
  await forgetChannel(tx, channelId)
}

export async function forgetChannel(tx: Tx, channelId: string): Promise<void> {
  await tx.execute(
    `UPDATE runtime.alert_channel SET removed_at = now(), address_encrypted = '', secret_encrypted = ''
     WHERE channel_id = $1 AND removed_at IS NULL`,
    [channelId],
  )
}

/** @returns undefined where its address cannot be opened with this key. */
export function openChannel(
  { channelId, address, secret }: SealedChannel,
  key: Secret,
): { readonly address: string; readonly secret: string | undefined } | undefined {
  const opened = unseal(address, addressUse(channelId), key)
  if (opened === undefined) return undefined
  return { address: opened, secret: secret.length === 0 ? undefined : unseal(secret, secretUse(channelId), key) }
}
