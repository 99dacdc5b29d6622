import { removeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './account-destination.ts'

export default operation({
  ...changing(removeDestination),
  id: 'removeAccountDestination',
  method: 'DELETE',
  path: path,
  summary: 'Remove a CRM from an account',
  description:
    'Deletes its credentials. A later destination for the same CRM account picks up what was delivered there. Standing orders continue ' +
    'with their other destinations; one without any other waits until it is given one.',
})
