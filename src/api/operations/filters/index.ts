import type { Operation } from '../../operation.ts'
import companies from './companies.ts'
import directors from './directors.ts'
import gst from './gst.ts'

export const filters: readonly Operation[] = [companies, gst, directors]
