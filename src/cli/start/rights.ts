/** Checks, right by right, before a process takes work, whether its logins may do everything that the work needs. */
import type { Db } from '../../db/db.ts'
import { missingRights } from '../../db/declared-rights.ts'
import { type AppRole, grantsAreCurrent } from '../../db/roles.ts'
import { AppError } from '../../errors.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'

const namedMax = 5

/** @returns undefined where nothing is missing, and with a newer Panji on the database, which has other rights. */
export async function rightsFault(db: Db, role: AppRole): Promise<string | undefined> {
  if (!(await grantsAreCurrent(db))) return undefined
  const missing = await missingRights(db, role)
  if (missing.length === 0) return undefined
  const more = missing.length > namedMax ? ` and ${missing.length - namedMax} more` : ''
  return `The database login lacks rights of ${role}: ${missing.slice(0, namedMax).join('; ')}${more}. Run \`panji migrate\`, or grant the role to the login.`
}

/** @throws AppError DATABASE_RIGHTS_MISSING naming the missing rights. */
export async function checkRights(db: Db, role: AppRole): Promise<void> {
  const fault = await rightsFault(db, role)
  if (fault !== undefined) throw new AppError('DATABASE_RIGHTS_MISSING', fault)
}

/** A worker without the trading role does the other jobs, and logs which ones wait for a worker that has it. */
export async function checkJobRights(
  { log }: CommandContext,
  instance: OpenInstance,
  tradeDb: Db | undefined,
): Promise<void> {
  await checkRights(instance.workerDb, 'panji_worker')
  if (tradeDb) await checkRights(tradeDb, 'panji_trade')
  else log.error(tradeAdvice)
}

export const tradeAdvice =
  'subscriptions are not renewed and payments not reconciled by this worker: its database login may not become panji_trade; run `GRANT panji_trade TO` the login'
