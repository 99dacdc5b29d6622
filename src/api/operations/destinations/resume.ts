import { resumeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './destination-path.ts'

export default operation({
  ...changing(resumeDestination),
  id: 'resumeDestination',
  method: 'POST',
  path: `${path}/resume`,
  summary: 'Resume deliveries to a CRM',
  description: 'Sends the leads that are waiting; a broken destination is retried at once.',
})
