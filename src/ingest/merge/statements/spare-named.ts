/**
 * Takes the records out of `closing` that rejected rows name: each stands in the file, whatever of its row could not be read. A row
 * may be torn, so its text is looked through piece by piece. Of a key that is joined the declaration says which parts name a record.
 */
import type { ColumnRule, Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { readers as identifiers } from '../../check/rules/identifier.ts'

type Reader = (piece: string) => string

const { din } = identifiers
const companyId = identifiers['company-id']
/** Without the repair of the check, which is expensive. */
const gstin: Reader = (piece) => sql`ingest.gstin(${piece})`

/** By the kind of a column: how a piece of text is read as a value of it. */
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

/** With the run as its parameter. */
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
-- Invariant: no record is closed that a row of the file names. Where another row of the file holds it, it is not absent.
WITH pieces AS MATERIALIZED (
  SELECT DISTINCT line, piece
  FROM ingest.reject,
    LATERAL (SELECT regexp_split_to_table(raw, '[",;|\\s]+') UNION SELECT btrim(regexp_split_to_table(raw, '[",;|\\t\\r\\n]+'))) AS p(piece)
  -- What names a record has digits, or is an e-mail address.
  WHERE run_id = $1 AND code <> 'duplicate_in_file' AND piece ~ '[0-9@]'
    AND EXISTS (SELECT FROM closing)
), ${parts.join(', ')}
DELETE FROM closing USING ${table} t, ${first.name}${others.join('')}
WHERE t.${key} = closing.record_key AND ${matches.join(' AND ')}`
}
