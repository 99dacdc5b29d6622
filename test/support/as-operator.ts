/** Acts as a request of the environment's operator, the only one whom the role for requests may name. */
import { actAs } from '../../src/audit/acting.ts'

export const overHttp = 'operator:default'

export const asOperator = <T>(work: () => T): T =>
  actAs({ credential: 'environment', operation: 'a test', address: null, written: 0 }, work)
