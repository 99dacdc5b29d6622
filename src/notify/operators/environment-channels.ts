/** The channels of a worker's environment: PANJI_ALERT_URL and PANJI_ALERT_MAIL. Running it twice changes nothing. */
import type { Tx } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import type { AlertAddress, ChannelKind } from './alert-address.ts'
import { addChannel, forgetChannel, openChannel, type SealedChannel } from './channels.ts'

const same = (one: AlertAddress, other: AlertAddress): boolean =>
  one.kind === other.kind && one.address === other.address

/** For a worker, whose environment decides: channels that it no longer has are removed. */
export async function syncEnvironment(tx: Tx, secretKey: Secret, named: readonly AlertAddress[]): Promise<void> {
  for (const row of await readPresent(tx, secretKey)) {
    if (!named.some((each) => same(each, row))) await forgetChannel(tx, row.channelId)
  }
  await addNamed(tx, secretKey, named)
}

/** For a command, whose environment may differ from the worker's: nothing is removed. */
export async function addNamed(tx: Tx, secretKey: Secret, named: readonly AlertAddress[]): Promise<void> {
  const present = await readPresent(tx, secretKey)
  for (const each of named) {
    if (present.some((row) => same(each, row))) continue
    await addChannel(tx, secretKey, { ...each, origin: 'environment', createdBy: 'environment', allowPrivate: true })
  }
}

async function readPresent(tx: Tx, secretKey: Secret) {
  const rows = await tx.query<SealedChannel & { kind: ChannelKind }>(
    `SELECT channel_id AS "channelId", kind, address_encrypted AS address, secret_encrypted AS secret
     FROM runtime.alert_channel WHERE origin = 'environment' AND removed_at IS NULL`,
  )
  return rows.map((row) => ({ ...row, address: openChannel(row, secretKey)?.address ?? '' }))
}
