/**
 * Renews credentials that the vendor rotates on each use, as some do with refresh tokens; the previous one is invalid
 * from then on. Only one process at a time spends the stored credential, and its successor is sealed and committed
 * before any call uses what it was exchanged for. A crash in between leaves an invalid credential; the next sign-in
 * reports it, and a person has to sign in again. Settings that a person changes at the same time are never
 * overwritten.
 */
import type { RenewSettings } from '../../../connectors/renew-settings.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { decryptSettings, encryptSettings, type SettingsOwner } from './settings-cipher.ts'

type Values = Readonly<Record<string, unknown>>

/** Renewals within one process queue per destination, since each would hold a connection. */
const turns = new Map<string, Promise<unknown>>()

interface StoredSettings {
  /** Encrypted. */
  readonly settings: Buffer
  readonly setUpAt: Date | null
}

/** @param row as read when the destination was opened. */
export function createRenewal(
  { db, secretKey }: { readonly db: Db; readonly secretKey: Secret },
  row: SettingsOwner & StoredSettings,
): RenewSettings {
  const { destinationId } = row
  let known = row.settings
  return (spend) =>
    inTurn(destinationId, () =>
      db.transaction(async (tx) => {
        await tx.execute('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`settings ${destinationId}`])
        const stored = await readStored(tx, destinationId, 'unlocked')
        // A set-up belongs to the settings it was made with, so a difference since then comes from renewals.
        const isRenewed = stored?.setUpAt != null && stored.setUpAt.getTime() === row.setUpAt?.getTime()
        if (stored === undefined || !(isRenewed || stored.settings.equals(known))) throw changedMeanwhile()
        known = stored.settings
        const given = decryptSettings(known, row, secretKey) as Values
        const { granted, changed } = await spend(given)
        if (changed === null) return granted
        const held = await readStored(tx, destinationId, 'locked')
        const current = held && (decryptSettings(held.settings, row, secretKey) as Values)
        const isOurs = current && Object.keys(changed).every((name) => current[name] === given[name])
        if (!isOurs) return granted
        const sealed = encryptSettings({ ...current, ...changed }, row, await sealingKey(tx, secretKey))
        await tx.execute('UPDATE deliver.destination SET settings_encrypted = $2 WHERE destination_id = $1', [
          destinationId,
          sealed,
        ])
        if (held.settings.equals(known)) known = sealed
        return granted
      }),
    )
}

const changedMeanwhile = (): AppError =>
  new AppError(
    'CRM_UNAVAILABLE',
    'The settings of this destination have just been changed: delivery continues with the new ones',
    {
      retry: 'later',
    },
  )

const selectStored = `SELECT settings_encrypted AS settings, set_up_at AS "setUpAt" FROM deliver.destination
  WHERE destination_id = $1 AND status <> 'removed'`
const lockStored = sql`${selectStored} FOR NO KEY UPDATE`

async function readStored(
  tx: Queryable,
  destinationId: string,
  lock: 'unlocked' | 'locked',
): Promise<StoredSettings | undefined> {
  const [row] = await tx.query<StoredSettings>(lock === 'locked' ? lockStored : selectStored, [destinationId])
  return row
}

async function inTurn<T>(of: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(of) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(of, mine)
  try {
    return await mine
  } finally {
    if (turns.get(of) === mine) turns.delete(of)
  }
}
