import type { Operation } from '../../operation.ts'
import getPdf from './get-pdf.ts'
import list from './list.ts'

export const invoices: readonly Operation[] = [list, getPdf]
