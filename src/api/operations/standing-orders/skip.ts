import { operation } from '../../operation.ts'
import { deciding } from './deciding.ts'
import { runExample } from './standing-schemas.ts'

export default operation({
  ...deciding(false),
  id: 'skipStandingRun',
  path: '/api/standing-orders/:id/skip',
  summary: 'Skip a waiting run and buy nothing',
  description: 'What it found is not found again.',
  example: { ...runExample, state: 'skipped', decided_by: 'you' },
})
