import { resumeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { Destination } from '../destinations/destination-schemas.ts'
import example from '../destinations/get.example.json' with { type: 'json' }
import { AccountDestinationPath, changing, path } from './account-destination.ts'

export default operation({
  id: 'resumeAccountDestination',
  method: 'POST',
  path: `${path}/resume`,
  tag: 'Operations',
  summary: 'Resume deliveries to a CRM of an account',
  description: 'Sends the leads that are waiting; a broken destination is retried at once.',
  caller: { role: 'operator' },
  audit: 'act',
  params: AccountDestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: changing(resumeDestination),
})
