import { removeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { Destination } from '../destinations/destination-schemas.ts'
import example from '../destinations/get.example.json' with { type: 'json' }
import { AccountDestinationPath, changing, path } from './account-destination.ts'

export default operation({
  id: 'removeAccountDestination',
  method: 'DELETE',
  path: path,
  tag: 'Operations',
  summary: 'Remove a CRM from an account',
  description:
    'Deletes its credentials. A later destination for the same CRM account picks up what was delivered there. Standing orders continue ' +
    'with their other destinations; one without any other waits until it is given one.',
  caller: { role: 'operator' },
  audit: 'act',
  params: AccountDestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: changing(removeDestination),
})
