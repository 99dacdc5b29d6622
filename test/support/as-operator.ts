/** Acts as a request of an operator whom the environment names: the role of requests may name no other one. */
import { actAs } from '../../src/audit/acting.ts'

export const overHttp = 'operator:default'

export const asOperator = <T>(work: () => T): T =>
  actAs({ credential: 'environment', operation: 'a test', address: null, written: 0 }, work)
