import { endStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { standingExample } from './standing-schemas.ts'
import { switching } from './switching.ts'

export default operation({
  ...switching(endStanding),
  id: 'endStandingOrder',
  path: '/api/standing-orders/:id/end',
  summary: 'End a standing order',
  description: 'Permanent. What it bought is kept.',
  errors: ['CONFLICT'],
  destructive: true,
  example: { ...standingExample, state: 'ended' },
})
