import type { Operation } from '../../operation.ts'
import companies from './companies.ts'
import companiesSummary from './companies-summary.ts'
import directors from './directors.ts'
import directorsSummary from './directors-summary.ts'
import gst from './gst.ts'
import gstSummary from './gst-summary.ts'

export const feeds: readonly Operation[] = [companies, directors, gst, companiesSummary, directorsSummary, gstSummary]
