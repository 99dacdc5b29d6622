/**
 * Reads the cells of all staged rows into the checked table. PostgreSQL never runs INSERT … SELECT in parallel, and
 * writes rows returned by a function to disk before inserting the first one; so for a large table, two connections read
 * half each.
 */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { expectManyRows } from '../run/many-rows.ts'
import type { RunLease } from '../run/run-lease.ts'

interface Filling {
  readonly stageTable: string
  readonly checkedTable: string
  /** The checking query over the staged rows s that meet a condition. */
  select(condition: string): string
}

/** Size in 8 KiB pages from which a staged table is read in two halves; a smaller one is not worth two plans. */
const halvedFrom = 1000

export async function fillChecked(
  lease: RunLease,
  tx: Tx,
  { stageTable, checkedTable, select }: Filling,
): Promise<void> {
  const insert = async (into: Tx, condition: string) => {
    // ANALYZE of the staging table would take a second in a large run; its number of pages is a good enough estimate.
    await into.execute(sql`INSERT INTO ${checkedTable} ${select(condition)}`)
  }
  const [staged] = await tx.query<{ pages: number }>(
    `SELECT pg_relation_size($1) / current_setting('block_size')::integer AS pages`,
    [stageTable],
  )
  const middle = Math.floor((staged?.pages ?? 0) / 2)
  if (middle < halvedFrom / 2) return insert(tx, 'true')
  const halves = [`s.ctid < '(${middle},0)'`, `s.ctid >= '(${middle},0)'`] as const
  const secondHalf = async (other: Tx) => {
    await expectManyRows(other)
    await insert(other, halves[1])
  }
  await Promise.all([insert(tx, halves[0]), lease.concurrently(secondHalf)])
}
