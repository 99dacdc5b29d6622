/**
 * What happens once before the first delivery, and again after new settings or in another account: fields are created,
 * the account is verified.
 */
import type { CrmSession, SetupReport } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import type { FieldMapping } from './field-mapping.ts'
import { fillsAlways } from './mapped-value.ts'
import type { DestinationRow, OpenDestination } from './open-destination.ts'
import { isReplaced } from './replaced-account.ts'
import { verifyAccount } from './verify-account.ts'

const absentSql = sqlFile(import.meta.url, 'absent-fields.sql')

/**
 * @returns false if it was set up already, for the account into which it still leads.
 * @throws AppError DESTINATION_INVALID with what a person must do first.
 */
export async function setUp(db: Db, row: DestinationRow, open: OpenDestination): Promise<boolean> {
  const { session } = open
  if (row.setUpAt !== null && !(await isReplaced(row, open))) return false
  await verifyAccount(db, row, await session.identify())
  const todo = todosOf(await createFields(db, row, session), row.mapping)
  if (todo.length > 0) throw new AppError('DESTINATION_INVALID', `The CRM is not ready: ${todo.join(' ')}`)
  await markSetUp(db, row.destinationId)
  return true
}

/**
 * Creates what the CRM lacks. A field that was delivered to before and is missing now is filled again once it is
 * there, whoever creates it.
 */
export async function createFields(
  db: Db,
  { destinationId, mapping }: Pick<DestinationRow, 'destinationId' | 'mapping'>,
  session: CrmSession,
): Promise<SetupReport> {
  const report = await session.setup(mapping.map(({ field }) => field))
  const absent = [...(report.absent ?? [])].flatMap(([type, fields]) => fields.map((field) => ({ type, field })))
  if (absent.length > 0) await db.execute(absentSql, [destinationId, JSON.stringify(absent)])
  return report
}

/** What a person must do before anything is delivered. A required field that the mapping fills is not among them. */
export function todosOf({ todo, unfilled = [] }: SetupReport, mapping: readonly FieldMapping[]): readonly string[] {
  const filled = new Set(mapping.flatMap(({ field, value }) => (value && fillsAlways(value) ? [field] : [])))
  return [...todo, ...unfilled.flatMap((each) => (filled.has(each.field) ? [] : [each.todo]))]
}

export async function markSetUp(db: Db, destinationId: string): Promise<void> {
  await db.execute('UPDATE deliver.destination SET set_up_at = now() WHERE destination_id = $1', [destinationId])
}
