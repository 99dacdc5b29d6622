import { z } from 'zod'
import { revisionOf } from '../../../db/revision.ts'
import { readDestination } from '../../../deliver/destinations/open-destination.ts'
import { revision } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { fields, path } from './mapping-schemas.ts'

const Mapping = z.object({ fields, revision }).meta({ id: 'Mapping' })

export default operation({
  id: 'getMapping',
  method: 'GET',
  path: `${path}/mapping`,
  summary: "A destination's own mapping",
  description: 'Overrides single fields; every other field follows docs/connectors.md.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  params: DestinationPath,
  reply: { 200: Mapping },
  example: {
    fields: [],
    revision: '4f53cda18c2baa0c',
  },
  handle: async ({ db }, request, { accountId }) => {
    const { mapping } = await readDestination(db, request.params.destination_id, accountId)
    return { fields: mapping, revision: revisionOf(mapping) }
  },
})
