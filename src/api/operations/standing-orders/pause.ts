import { pauseStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { standingExample } from './standing-schemas.ts'
import { switching } from './switching.ts'

export default operation({
  ...switching(pauseStanding),
  id: 'pauseStandingOrder',
  path: '/api/standing-orders/:id/pause',
  summary: 'Pause a standing order',
  description: 'Once this returns, it spends no credit; what it found and has not bought is not bought later.',
  errors: ['CONFLICT'],
  example: { ...standingExample, state: 'paused' },
})
