/** Tests a destination: signs in, sets up, reads the fields. Success closes its breaker. */

import type { LimitReport } from '../../../connectors/call-gate.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { dueAtOnce } from '../lease/due-at-once.ts'
import { reopenLimiter } from '../lease/limiter.ts'
import { announceOfDestination } from './announce.ts'
import { missingForJoins } from './joins.ts'
import { type CountedMisfit, misfitsOfNewest, wordsOfMisfit } from './misfits.ts'
import { type DeliveryParts, openDestination, readDestination } from './open-destination.ts'
import { createFields, markSetUp, todosOf } from './set-up.ts'
import { sharingNotice } from './shared-account.ts'
import { verifyAccount } from './verify-account.ts'

const closeSql = sqlFile(import.meta.url, 'tested-well.sql')

/** As many values as a sentence can list. */
const misfitsReportedMax = 10

export interface DestinationCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/**
 * @throws the connector's AppError if the CRM refuses; `ok` is false if a person has to do something first, which the
 * detail describes.
 */
export async function testDestination(
  parts: DeliveryParts,
  destinationId: string,
  signal: AbortSignal,
  accountId?: string,
): Promise<{ readonly ok: boolean; readonly checks: readonly DestinationCheck[] }> {
  const row = await readDestination(parts.db, destinationId, accountId)
  await reopenLimiter(parts.db, destinationId)
  const { session, limiter } = openDestination(parts, row, signal)
  const remote = await session.identify()
  await verifyAccount(parts.db, row, remote)
  const report = await createFields(parts.db, row, session)
  const todo = todosOf(report, row.mapping)
  const limits = await session.limits()
  const ready = todo.length === 0
  const fields = ready ? await session.describe() : null
  const misfits = ready ? await misfitsOfNewest(parts.db, row, session) : []
  const missing = fields === null ? null : await missingForJoins(session, row.mapping, fields)
  await limiter.flush()
  if (ready) await recover(parts, destinationId)
  const notice = sharingNotice(await readDestination(parts.db, destinationId))
  const checks = [
    { name: 'sign-in', ok: true, detail: `the credentials are accepted, for the account ${remote.account}` },
    {
      name: 'set-up',
      ok: ready,
      detail: ready
        ? [[...report.created, ...report.present].join(', '), ...(report.advice ?? [])].join('. ')
        : todo.join(' '),
    },
    {
      name: 'fields',
      ok: fields !== null && fields.length > 0,
      detail: fields === null ? 'they are read once the CRM is ready' : `${fields.length} fields can be written`,
    },
    ...(misfits.length === 0 ? [] : [{ name: 'lists', ok: true, detail: describeMisfits(misfits) }]),
    ...(missing === null ? [] : [{ name: 'joins', ok: missing.length === 0, detail: joinsInWords(missing) }]),
    { name: 'quota', ok: true, detail: quotaInWords(limits) },
    ...(notice === null ? [] : [{ name: 'shared account', ok: true, detail: notice }]),
  ]
  return { ok: checks.every(({ ok }) => ok), checks }
}

function describeMisfits(misfits: readonly CountedMisfit[]): string {
  const some = misfits.slice(0, misfitsReportedMax).map(wordsOfMisfit)
  const more = misfits.length > some.length ? `, and ${misfits.length - some.length} more` : ''
  return `Lists of the CRM lack values of the newest leads: ${some.join(', ')}${more}. Add them there, or map them in list_values`
}

function quotaInWords({ dailyUsed, dailyLimit }: LimitReport): string {
  if (dailyLimit === null) return 'not reported'
  if (dailyUsed === null) return `${dailyLimit} calls a day, of which the CRM does not say how many are used`
  return `${dailyUsed} of ${dailyLimit} calls used`
}

const joinsInWords = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'records may join what the mapping names'
    : `Leads are delivered and join nothing: ${missing.join(' ')}`

/**
 * A broken destination is retried at once and its account notified. A paused one stays paused, without a
 * notification.
 */
async function recover({ db }: DeliveryParts, destinationId: string): Promise<void> {
  await markSetUp(db, destinationId)
  await db.transaction(async (tx) => {
    const [closed] = await tx.query(closeSql, [destinationId])
    if (closed) await announceOfDestination(tx, destinationId, 'destination.recovered', {})
    await dueAtOnce(tx, destinationId)
  })
}
