/**
 * A database that alters a text in the product's statements, also in those passed as a value to create a table: it
 * reintroduces a bug that the product had.
 */
import type { Db, Queryable, Sql } from '../../src/db/db.ts'

export type Alteration = readonly [from: string, to: string]

export function alteredDb(db: Db, alterations: readonly Alteration[]): Db {
  const textOf = (text: string) => alterations.reduce((so, [from, to]) => so.replaceAll(from, () => to), text)
  const alter = (sql: Sql): Sql => (typeof sql === 'string' ? textOf(sql) : { ...sql, text: textOf(sql.text) })
  const alterAll = (values: readonly unknown[] | undefined) =>
    values?.map((value) => (typeof value === 'string' ? textOf(value) : value))
  const altered = <Q extends Queryable>(of: Q): Q => ({
    ...of,
    query: (sql: Sql, values?: readonly unknown[]) => of.query(alter(sql), alterAll(values)),
    execute: (sql: Sql, values?: readonly unknown[]) => of.execute(alter(sql), alterAll(values)),
  })
  return {
    ...altered(db),
    transaction: (work) => db.transaction((tx) => work(altered(tx))),
    readSnapshot: (timeoutMs, work) => db.readSnapshot(timeoutMs, (tx) => work(altered(tx))),
    withConnection: (work) => db.withConnection((connection) => work(altered(connection))),
  }
}
