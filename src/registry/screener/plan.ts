/** How PostgreSQL would run a statement over a register: its plan, and the rows that it would read. */
import type { Queryable } from '../../db/db.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly Plans?: readonly PlanNode[]
}

/** Plans without running; `values` are used for planning, as for an unnamed statement. */
export async function readPlan(tx: Queryable, sql: string, values: readonly unknown[]): Promise<PlanNode> {
  const [row] = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values,
  )
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('EXPLAIN returned no plan')
  return plan
}

export function indexNames(node: PlanNode): string[] {
  const own = node['Index Name']
  return [...(own === undefined ? [] : [own]), ...(node.Plans ?? []).flatMap(indexNames)]
}

/** Rows of a register that may be read for secondary information. */
const besideRowsMax = 200_000

/** Whether a statement reads at most that many rows; small registers need no plan. */
export async function looksAtFew(
  tx: Queryable,
  {
    sql,
    values,
    registerRows,
  }: { readonly sql: string; readonly values: readonly unknown[]; readonly registerRows: number },
): Promise<boolean> {
  if (registerRows <= besideRowsMax) return true
  return rowsLookedAt(await readPlan(tx, sql, values), registerRows) <= besideRowsMax
}

const subqueries: ReadonlySet<string | undefined> = new Set(['InitPlan', 'SubPlan'])

/**
 * Rows of the register that the plan reads and compares: all of `tableRows` for a sequential scan. Subqueries read other
 * tables, such as the rules of an account.
 */
export function rowsLookedAt(node: PlanNode, tableRows: number): number {
  const below = (node.Plans ?? [])
    .filter((each) => !subqueries.has(each['Parent Relationship']))
    .map((each) => rowsLookedAt(each, tableRows))
  switch (node['Node Type']) {
    case 'Seq Scan':
      return tableRows
    case 'Bitmap Index Scan':
    case 'Index Scan':
    case 'Index Only Scan':
      return Math.min(node['Plan Rows'], tableRows)
    case 'BitmapAnd':
      return Math.min(...below, tableRows)
    default:
      return Math.min(
        below.reduce((sum, rows) => sum + rows, 0),
        tableRows,
      )
  }
}
