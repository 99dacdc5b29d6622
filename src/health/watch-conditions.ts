/**
 * Evaluates the conditions of the instance and queues notifications of operators: grouped, one per cause and hour, and
 * one when a condition is resolved. Any number of processes may do so: they take turns to note what they found, and
 * what one has reported no other reports. Without a channel nothing counts as reported, so the first channel is
 * notified of everything that holds.
 */
import { hostname } from 'node:os'
import type { Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import type { Secret } from '../domain/secret.ts'
import type { AlertAddress } from '../notify/operators/alert-address.ts'
import type { ReportedCondition } from '../notify/operators/alert-message.ts'
import { syncEnvironment } from '../notify/operators/environment-channels.ts'
import { queueAlert } from '../notify/operators/queue-alert.ts'
import { type Finding, findConditions } from './find-conditions.ts'
import { type Measured, readSamples } from './read-samples.ts'

const noteSql = sqlFile(import.meta.url, 'note-conditions.sql')
const unreportedSql = sqlFile(import.meta.url, 'take-unreported.sql')

export interface WatchParts extends Measured {
  readonly secretKey: Secret
  /** Channels of the environment. */
  readonly channels: readonly AlertAddress[]
  /** Name of this process, for a condition of its machine only. */
  readonly instance?: string
}

export interface WatchReport {
  readonly found: number
  readonly opened: number
  readonly resolved: number
}

export async function watchConditions({ instance = hostname(), ...parts }: WatchParts): Promise<WatchReport> {
  const found = findConditions(await readSamples(parts), instance)
  return parts.db.transaction(async (tx) => {
    await tx.execute('LOCK TABLE runtime.condition IN SHARE ROW EXCLUSIVE MODE')
    await syncEnvironment(tx, parts.secretKey, parts.channels)
    return { found: found.length, ...(await noteFound(tx, found, instance)) }
  })
}

type Row = Omit<ReportedCondition, 'since'> & { readonly since: Date }
const reported = (rows: readonly Row[]): ReportedCondition[] =>
  rows.map((row) => ({ ...row, since: row.since.toISOString() }))

async function noteFound(tx: Tx, found: readonly Finding[], instance: string) {
  const resolved = await tx.query<Row>(noteSql, [JSON.stringify(found), instance])
  const [channel] = await tx.query('SELECT FROM runtime.alert_channel WHERE removed_at IS NULL LIMIT 1')
  const opened = channel ? await tx.query<Row>(unreportedSql) : []
  if (opened.length + resolved.length > 0) {
    await queueAlert(tx, { test: false, opened: reported(opened), resolved: reported(resolved) })
  }
  return { opened: opened.length, resolved: resolved.length }
}
