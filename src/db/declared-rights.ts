/**
 * The rights of each role, parsed from migrations/roles/grants.sql, and the ones that a login lacks. The same list
 * grants them, is compared with the catalog by a test, and is checked at start and by doctor.
 */
import type { Queryable } from './db.ts'
import type { AppRole } from './roles.ts'
import { sqlFile } from './sql-file.ts'

export interface DeclaredRight {
  readonly role: string
  readonly privilege: string
  readonly kind: 'table' | 'function' | 'schema' | 'sequence'
  /** `ledger.entry`, or `ledger.customer(uuid)`. */
  readonly name: string
  /** Set if the right is limited to a column. */
  readonly column: string | null
}

/** @throws Error for a line that is not in the file's usual form. */
export function declaredRights(
  text = sqlFile(import.meta.url, '../../migrations/roles/grants.sql'),
): readonly DeclaredRight[] {
  const lines = text.split('\n').map((line) => line.split('--')[0]?.trim())
  return lines
    .join(' ')
    .split(';')
    .flatMap((statement) => {
      const line = statement.trim()
      if (line === '' || line.startsWith('REVOKE ')) return []
      const found = /^GRANT (.+) ON (?:(TABLE|FUNCTION|SCHEMA|SEQUENCE) )?(.+) TO ([a-z_, ]+)$/.exec(line)
      if (!found) throw new Error(`migrations/roles/grants.sql: ${line} is not a GRANT in this file's form`)
      const [, privileges = '', kind = 'TABLE', names = '', roles = ''] = found
      return listed(roles).flatMap((role) =>
        listed(names).flatMap((name) =>
          listed(privileges).flatMap((privilege) => rightsOf(privilege, { role, kind: kindOf(kind), name })),
        ),
      )
    })
}

/** Splits at commas, except inside parentheses. */
function listed(text: string): string[] {
  const parts: string[] = []
  for (const piece of text.split(',')) {
    const last = parts.at(-1)
    const isOpen = last?.includes('(') === true && !last.includes(')')
    if (isOpen) parts[parts.length - 1] = `${last},${piece}`
    else parts.push(piece)
  }
  return parts.map((part) => part.trim())
}

const kinds: Readonly<Record<string, DeclaredRight['kind']>> = {
  FUNCTION: 'function',
  SCHEMA: 'schema',
  SEQUENCE: 'sequence',
}
const kindOf = (word: string): DeclaredRight['kind'] => kinds[word] ?? 'table'

const wholeTable = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']

function rightsOf(text: string, on: Pick<DeclaredRight, 'role' | 'kind' | 'name'>): DeclaredRight[] {
  if (text === 'ALL') return wholeTable.map((privilege) => ({ ...on, privilege, column: null }))
  const [, privilege = text, columns] = /^([A-Z]+) ?\((.+)\)$/.exec(text) ?? []
  if (columns === undefined) return [{ ...on, privilege, column: null }]
  return columns.split(',').map((column) => ({ ...on, privilege, column: column.trim() }))
}

/**
 * @param db a connection of the process: its login is the one checked.
 * @returns the rights that the role should have and this login lacks, one line each; objects that do not exist are
 *   skipped.
 */
export async function missingRights(db: Queryable, role: AppRole): Promise<string[]> {
  const rights = declaredRights().filter((right) => right.role === role)
  const rows = await db.query<{ line: string }>(
    `SELECT wanted.privilege || coalesce(' (' || wanted."column" || ')', '') || ' ON ' || wanted.name AS line
     FROM jsonb_to_recordset($1::jsonb) AS wanted(privilege text, kind text, name text, "column" text)
     WHERE NOT CASE
       WHEN wanted.kind = 'schema' THEN coalesce(has_schema_privilege(to_regnamespace(wanted.name), wanted.privilege), true)
       WHEN wanted.kind = 'sequence' THEN coalesce(has_sequence_privilege(to_regclass(wanted.name), wanted.privilege), true)
       WHEN wanted.kind = 'function' THEN coalesce(has_function_privilege(to_regprocedure(wanted.name), wanted.privilege), true)
       WHEN wanted."column" IS NULL THEN coalesce(has_table_privilege(to_regclass(wanted.name), wanted.privilege), true)
       ELSE coalesce(has_column_privilege(to_regclass(wanted.name),
         (SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(wanted.name) AND attname = wanted."column"),
         wanted.privilege), true)
     END ORDER BY 1`,
    [JSON.stringify(rights)],
  )
  return rows.map(({ line }) => line)
}
