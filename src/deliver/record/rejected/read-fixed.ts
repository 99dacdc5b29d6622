/**
 * Reads the CSV of rejected rows, fixed in a spreadsheet, as fixes: `delivery_id` names the delivery, columns of
 * leads are read.
 */
import { parse } from 'csv-parse/sync'
import { leadColumns } from '../../../../config/lead-columns.ts'
import { unguarded } from '../../../domain/formula-guard.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { AppError } from '../../../errors.ts'
import type { FixedRow } from './fix-rejected.ts'

/** @throws AppError UNPROCESSABLE */
export function readFixedCsv(text: string): FixedRow[] {
  let rows: Record<string, string>[]
  try {
    // Lines that different programs printed, pasted or saved may end differently within one file.
    const ends = { record_delimiter: ['\r\n', '\n', '\r'] }
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true, relax_column_count_less: true, ...ends })
  } catch (error) {
    throw new AppError('UNPROCESSABLE', 'This is not a CSV file with a header row', { cause: error })
  }
  return rows.map((row, index) => {
    const deliveryId = row['delivery_id'] ?? ''
    if (!isUuid(deliveryId)) throw new AppError('UNPROCESSABLE', `Line ${index + 2}: delivery_id is missing`)
    const type = entityTypes.find((each) => row['record']?.startsWith(`${each}:`))
    const own = type ? leadColumns[type] : entityTypes.flatMap((each) => leadColumns[each])
    const cells = own.flatMap(({ name }) => (row[name] === undefined ? [] : [[name, unguarded(row[name])] as const]))
    return { deliveryId, values: Object.fromEntries(cells) }
  })
}
