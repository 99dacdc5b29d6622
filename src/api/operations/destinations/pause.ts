import { pauseDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './destination-path.ts'

export default operation({
  ...changing(pauseDestination),
  id: 'pauseDestination',
  method: 'POST',
  path: `${path}/pause`,
  summary: 'Pause deliveries to a CRM',
  description: 'Nothing is sent until it is resumed; leads ordered in the meantime wait.',
})
