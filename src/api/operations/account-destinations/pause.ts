import { pauseDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './account-destination.ts'

export default operation({
  ...changing(pauseDestination),
  id: 'pauseAccountDestination',
  method: 'POST',
  path: `${path}/pause`,
  summary: 'Pause deliveries to a CRM of an account',
  description: 'Nothing is sent until it is resumed; leads ordered in the meantime wait.',
})
