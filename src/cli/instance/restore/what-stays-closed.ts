/**
 * Whether the given secret key is the one of the backup. If not, everything is restored anyway, because the right key
 * may be at hand or lost for good; but no process would start, so the restore reports what cannot be read and where the
 * key is.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '../../../db/db.ts'
import type { Secret } from '../../../domain/secret.ts'
import { isSealedUnder } from '../../../secrets/canary.ts'
import { countSealed } from '../../../secrets/count-sealed.ts'
import type { CliSettings } from '../../settings.ts'
import { secretKeysOf } from '../secrets.ts'
import type { RestoreRequest } from './fill-database.ts'

export interface StaysClosed {
  /** Sealed values by table; null where the key is right. */
  readonly unreadable: Readonly<Record<string, number>> | null
  /** undefined where the key is right. */
  readonly advice?: string
}

export async function whatStaysClosed(
  tx: Tx,
  keys: Secret,
  settings: CliSettings,
  { path, manifest }: RestoreRequest,
): Promise<StaysClosed> {
  if (await isSealedUnder(tx, keys)) return { unreadable: null }
  const unreadable = await countSealed(tx)
  const what = Object.entries(unreadable).map(([table, count]) => `${table} ${count}`)
  const { dataDir, databaseUrl } = settings
  const keyFile = join(dataDir, 'secret-key')
  const came = manifest.files.some(({ name }) => name === 'secret-key')
  const broughtFits =
    came &&
    !databaseUrl &&
    existsSync(keyFile) &&
    (await isSealedUnder(tx, secretKeysOf({ ...settings, secretKey: undefined })))
  const way = broughtFits
    ? `The right one came with the backup and is in ${keyFile}: unset PANJI_SECRET_KEY, or set it to the content of that file.`
    : came && databaseUrl
      ? `The right one is in the backup: set PANJI_SECRET_KEY to what \`tar xzOf ${path} --wildcards 'files/*-secret-key/*'\` prints.`
      : 'Set PANJI_SECRET_KEY to the key of the instance that was backed up. If it is lost for good, `panji secrets rotate --lost` deletes what it sealed.'
  return {
    unreadable,
    advice: `Everything was restored, but the secret key is not that of the backup: no process will start, and sealed values cannot be read (${what.join(', ')}). ${way}`,
  }
}
