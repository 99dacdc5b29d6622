/** The rows of a register that a plan reads: what its subqueries read in other tables does not count. */
import { expect, test } from 'vitest'
import { type PlanNode, rowsLookedAt } from '../../../src/registry/screener/plan.ts'

const node = (type: string, rows: number, more: Partial<PlanNode> = {}): PlanNode => ({
  ...{ 'Node Type': type, 'Plan Rows': rows, 'Total Cost': 1 },
  ...more,
})
const register = 18_000_000

test('a sequential scan reads the whole register', () =>
  expect(rowsLookedAt(node('Aggregate', 1, { Plans: [node('Seq Scan', 10)] }), register)).toBe(register))

test.each(['InitPlan', 'SubPlan'])('a sequential scan of an %s reads another table', (relationship) => {
  const beside = node('Seq Scan', 3, { 'Parent Relationship': relationship })
  const scan = node('Index Scan', 120, { 'Parent Relationship': 'Outer', Plans: [beside] })
  expect(rowsLookedAt(node('Aggregate', 1, { Plans: [scan, beside] }), register)).toBe(120)
})
