import type { Operation } from '../../operation.ts'
import company from './company.ts'
import director from './director.ts'
import gst from './gst.ts'

export const details: readonly Operation[] = [company, gst, director]
