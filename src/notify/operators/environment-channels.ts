/** Keeps the channels that the environment names equal to it: PANJI_ALERT_URL and PANJI_ALERT_MAIL. Run twice, nothing changes. */
import type { Tx } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import type { AlertAddress, ChannelKind } from './alert-address.ts'
import { addChannel, forgetChannel, openChannel, type SealedChannel } from './channels.ts'

const same = (one: AlertAddress, other: AlertAddress): boolean =>
  one.kind === other.kind && one.address === other.address

export async function syncEnvironment(tx: Tx, secretKey: Secret, named: readonly AlertAddress[]): Promise<void> {
  const rows = await tx.query<SealedChannel & { kind: ChannelKind }>(
    `SELECT channel_id AS "channelId", kind, address_encrypted AS address, secret_encrypted AS secret
     FROM runtime.alert_channel WHERE origin = 'environment' AND removed_at IS NULL`,
  )
  const present = rows.map((row) => ({ ...row, address: openChannel(row, secretKey)?.address ?? '' }))
  for (const row of present) {
    if (!named.some((each) => same(each, row))) await forgetChannel(tx, row.channelId)
  }
  for (const each of named) {
    if (present.some((row) => same(each, row))) continue
    await addChannel(tx, secretKey, { ...each, origin: 'environment', createdBy: 'environment' })
  }
}
