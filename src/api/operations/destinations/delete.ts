import { removeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { changing, path } from './destination-path.ts'

export default operation({
  ...changing(removeDestination),
  id: 'deleteDestination',
  method: 'DELETE',
  path,
  summary: 'Remove a destination',
  description:
    'Deletes its credentials. A later destination for the same CRM account picks up what was delivered there. Standing orders continue ' +
    'with their other destinations; one without any other waits until it is given one.',
})
