import { operation } from '../../operation.ts'
import { deciding } from './deciding.ts'
import { runExample } from './standing-schemas.ts'

export default operation({
  ...deciding(true),
  id: 'approveStandingRun',
  path: '/api/standing-orders/:id/approve',
  summary: 'Approve a waiting run of a standing order',
  description: 'The first run of a standing order always waits, as does one that finds far more than usual.',
  example: { ...runExample, state: 'open', decided_by: 'you' },
})
