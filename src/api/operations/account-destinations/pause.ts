import { pauseDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { Destination } from '../destinations/destination-schemas.ts'
import example from '../destinations/get.example.json' with { type: 'json' }
import { AccountDestinationPath, changing, path } from './account-destination.ts'

export default operation({
  id: 'pauseAccountDestination',
  method: 'POST',
  path: `${path}/pause`,
  tag: 'Operations',
  summary: 'Pause deliveries to a CRM of an account',
  description: 'Nothing is sent until it is resumed; leads ordered in the meantime wait.',
  caller: { role: 'operator' },
  audit: 'act',
  params: AccountDestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: changing(pauseDestination),
})
