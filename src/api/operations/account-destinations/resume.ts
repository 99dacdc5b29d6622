import { resumeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './account-destination.ts'

export default operation({
  ...changing(resumeDestination),
  id: 'resumeAccountDestination',
  method: 'POST',
  path: `${path}/resume`,
  summary: 'Resume deliveries to a CRM of an account',
  description: 'Sends the leads that are waiting; a broken destination is retried at once.',
})
