import { z } from 'zod'
import { readDestination } from '../../../deliver/destinations/open-destination.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { fields, path } from './mapping-schemas.ts'

const Mapping = z.object({ fields }).meta({ id: 'Mapping' })

export default operation({
  id: 'getMapping',
  method: 'GET',
  path: `${path}/mapping`,
  tag: 'CRM',
  summary: "A destination's own mapping",
  description: 'Of single fields; whatever it does not name is as docs/connectors.md says.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  params: DestinationPath,
  reply: { 200: Mapping },
  example: {
    fields: [],
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const { mapping } = await readDestination(db, request.params.destination_id, accountId)
      return { fields: [...mapping] }
    },
})
