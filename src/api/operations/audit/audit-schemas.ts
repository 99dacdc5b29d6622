import { z } from 'zod'
import { auditLogSorts } from '../../../audit/read-audit-log.ts'
import { timestamp } from '../../formats.ts'
import { calendarDay, sorting } from '../../parameters.ts'

export const kinds = z.enum(['act', 'reading', 'refusal'])

const text = z.string().nullable()

export const shared = {
  at: timestamp(),
  kind: kinds.describe('act, read of personal data, or refused credential'),
  actor: z.string(),
  action: z.string(),
  subject: z.string().describe('What was acted on; for a read, the record or how many'),
  detail: z.record(z.string(), z.unknown()),
  credential: text.describe('ID of the API key, person or operator, `environment`, or the user of the machine'),
  person: text.describe('Name of the person of the account who acted; null for a key or an operator'),
  operation: text.describe('operationId, or the command'),
  address: text,
  reason: text.describe('Context: order <id>, screener <id>'),
  data_class: text.describe('For a read: details, leads, …'),
  identifiers: z.array(z.string()).nullable().describe('For a read: the records that were shown'),
  records: z.number().nullable().describe('For a read: how many were shown'),
}

export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    limit: z.number(),
    next_cursor: text.describe('Send as `cursor` for the next page; null on the last one'),
  })

export const paging = {
  from: calendarDay.optional().describe('First day, in India'),
  to: calendarDay.optional().describe('Last day, in India'),
  ...sorting(auditLogSorts),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'next_cursor of the previous page', examples: ['dDEtMTI'] }),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Rows per page'),
}
