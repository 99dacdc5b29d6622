import { z } from 'zod'
import type { Order } from '../../../orders/order.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const format = z.enum(['json', 'csv', 'xlsx']).default('json').describe('json: records; csv and xlsx: a file')

export const exported = (schema: z.ZodType) => ({
  200: {
    description: 'The records, the CSV file, or the workbook with one sheet per type',
    content: {
      'application/json': { schema },
      'text/csv': { schema: z.string() },
      [workbookType]: { schema: z.string().meta({ format: 'binary' }) },
    },
  },
})

export interface Wanted {
  readonly orders: readonly Order[]
  readonly format: 'json' | 'csv' | 'xlsx'
  readonly bom: boolean
  /** Members at the start of a JSON document. */
  readonly head: Readonly<Record<string, unknown>>
  readonly name: string
}
