import { resumeStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { standingExample } from './standing-schemas.ts'
import { switching } from './switching.ts'

export default operation({
  ...switching(resumeStanding),
  id: 'resumeStandingOrder',
  path: '/api/standing-orders/:id/resume',
  summary: 'Activate or resume a standing order',
  description: 'A draft, or a paused one. It reacts to imports from now on.',
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  example: { ...standingExample, state: 'active' },
})
