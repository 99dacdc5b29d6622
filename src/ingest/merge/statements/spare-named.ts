/**
 * Removes the records from `closing` that rejected rows name: each is in the file, whatever part of its row could not
 * be read. A row may be torn, so its text is searched piece by piece. For a joined key, the declaration says which
 * parts identify a record.
 */
import type { ColumnRule, Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { readers as identifiers } from '../../check/rules/identifier.ts'

type Reader = (piece: string) => string

const { din } = identifiers
const companyId = identifiers['company-id']
/** Without the check's repair, which is expensive. */
const gstin: Reader = (piece) => sql`ingest.gstin(${piece})`

/** By kind of column: how a piece of text is read as its value. */
const readers: Readonly<Partial<Record<ColumnRule['kind'], readonly Reader[]>>> = {
  'company-id': [companyId.reader],
  din: [din.reader],
  gstin: [gstin],
  'any-identifier': [companyId.reader, din.reader, gstin],
  'contact-value': [(piece) => sql`ingest.contact_value(${piece})`],
  pincode: [(piece) => sql`ingest.read_pincode(${piece})`],
  tariff: [(piece) => sql`ingest.hsn_code(${piece})`, (piece) => sql`ingest.sac_code(${piece})`],
  text: [(piece) => piece],
}

/** Takes the run as its parameter. */
export function spareNamedStatement(source: Source): string {
  const { table, key, columns } = source
  const rule = columns[key]
  const named = (rule?.kind === 'joined' ? rule.named : [key]).map((column, place) => {
    const reads = readers[columns[column]?.kind ?? 'text'] ?? []
    return { column, name: `named_${place}`, reads }
  })
  const parts = named.map(
    ({ name, reads }) =>
      sql`${name} AS MATERIALIZED (SELECT DISTINCT line, value FROM pieces, unnest(ARRAY[${reads.map((read) => read('piece')).join(', ')}]) value
          WHERE value IS NOT NULL)`,
  )
  const [first] = named
  if (!first) throw new Error(`${source.name} declares no part that names its records`)
  const others = named.slice(1).map(({ name }) => sql` JOIN ${name} USING (line)`)
  const matches = named.map(({ column, name }) => sql`t.${column}::text = ${name}.value`)
  return sql`
-- Invariant: no record is closed that a row of the file names. A record that another row of the file has is not absent.
WITH pieces AS MATERIALIZED (
  SELECT DISTINCT line, piece
  FROM ingest.reject,
    LATERAL (SELECT regexp_split_to_table(raw, '[",;|\\s]+') UNION SELECT btrim(regexp_split_to_table(raw, '[",;|\\t\\r\\n]+'))) AS p(piece)
  -- What identifies a record contains digits, or is an e-mail address.
  WHERE run_id = $1 AND code <> 'duplicate_in_file' AND piece ~ '[0-9@]'
    AND EXISTS (SELECT FROM closing)
), ${parts.join(', ')}
DELETE FROM closing USING ${table} t, ${first.name}${others.join('')}
WHERE t.${key} = closing.record_key AND ${matches.join(' AND ')}`
}
