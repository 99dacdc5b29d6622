import type { Operation } from '../../operation.ts'
import hsn from './hsn.ts'
import nic from './nic.ts'
import sac from './sac.ts'

export const reference: readonly Operation[] = [hsn, sac, nic]
