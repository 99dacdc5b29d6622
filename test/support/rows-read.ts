/** How many rows of some tables are read for an answer, by the plans of its statements. */
import type { Db, Queryable, Sql } from '../../src/db/db.ts'

export interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[]
}

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** @param tables names that are counted. */
export async function rowsRead(db: Db, tables: RegExp, read: (db: Db) => Promise<unknown>): Promise<number> {
  let rows = 0
  const measured = <Q extends Queryable>(asked: Q): Q => ({
    ...asked,
    async query<R extends object>(text: Sql, values?: readonly unknown[]): Promise<R[]> {
      const statement = typeof text === 'string' ? text : text.text
      const [explained] = await asked.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, values)
      for (const node of (explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan))) {
        const removed = node['Rows Removed by Filter'] ?? 0
        if (tables.test(node['Relation Name'] ?? '')) rows += (node['Actual Rows'] + removed) * node['Actual Loops']
      }
      return asked.query<R>(text, values)
    },
  })
  await read({
    ...measured(db),
    identity: {},
    readSnapshot: (timeoutMs, work) => db.readSnapshot(timeoutMs, (tx) => work(measured(tx))),
  })
  return rows
}
