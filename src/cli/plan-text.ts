/** A delivery plan for a terminal: the counts that a push would print, missing list values, and what changes where. */
import type { PlannedLeads, PlannedRow } from '../deliver/plan/plan-leads.ts'
import { fields, table } from './output.ts'
import type { CommandContext } from './settings.ts'

export function answerPlan(context: CommandContext, destinationId: string, planned: PlannedLeads): void {
  const { create, update, adopt, unchanged, conflict, reject } = planned.counts
  // The counts of the planned push, with the names that a push prints.
  const foreseen = { created: create, updated: update + adopt, unchanged, rejected: reject, pending: 0 }
  const reasons = planned.rows.flatMap(({ record, action, reason }) =>
    reason === undefined ? [] : [{ external_id: record, action, reason }],
  )
  const document = { ...planned, destination: destinationId, ...foreseen, unknown: 0, conflicts: conflict, reasons }
  context.out.answer(document, ({ rows: _, reasons: __, misfits, joins, ...summary }) => {
    const noted = planned.rows.filter(
      ({ action, reason }) => action === 'update' || action === 'adopt' || reason !== undefined,
    )
    const lines = noted.map(({ record, action, reason, fields: changes, crm_id: crmId }) => [
      record,
      action,
      reason ?? [...(crmId === undefined ? [] : [crmId]), changesText(changes)].filter(Boolean).join(': '),
    ])
    const lacking = misfits.map(({ value, column, field, leads }) => [value, column ?? 'mapping', field, leads])
    const lists = lacking.length > 0 ? [table(['lists lack', 'of', 'for', 'leads'], lacking)] : []
    const joined = joins.map(({ field, value, leads }) => [value, field, leads])
    return [
      fields(summary),
      ...lists,
      ...(joined.length > 0 ? [table(['would join', 'by', 'leads'], joined)] : []),
      ...(lines.length > 0 ? [table(['record', 'would be', 'what'], lines)] : []),
    ].join('\n')
  })
}

const changesText = (changes: PlannedRow['fields'] = {}): string =>
  Object.entries(changes)
    .map(([name, { before, after }]) => `${name}: ${String(before ?? '-')} -> ${String(after)}`)
    .join('; ')
