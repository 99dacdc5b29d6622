import type { Operation } from '../../operation.ts'
import exportAll from './export.ts'
import find from './find.ts'
import findPdf from './find-pdf.ts'
import get from './get.ts'
import getPdf from './get-pdf.ts'
import list from './list.ts'

export const invoices: readonly Operation[] = [list, getPdf, find, exportAll, get, findPdf]
