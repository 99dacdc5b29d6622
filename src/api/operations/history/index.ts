import type { Operation } from '../../operation.ts'
import company from './company.ts'
import companyTrace from './company-trace.ts'
import director from './director.ts'
import directorTrace from './director-trace.ts'
import gst from './gst.ts'
import gstTrace from './gst-trace.ts'

export const history: readonly Operation[] = [company, companyTrace, gst, gstTrace, director, directorTrace]
