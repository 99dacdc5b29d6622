import { z } from 'zod'
import { readDestination } from '../../../deliver/destinations/open-destination.ts'
import { listVersions, versionsMax } from '../../../deliver/mapping/versions.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { fields, path } from './mapping-schemas.ts'

const MappingVersion = z
  .object({
    version: z.number().describe('From 1'),
    saved_at: timestamp('at which it was saved'),
    saved_by: z.string().describe('Name and visible part of the key, or the operator'),
    restored_from: z.number().nullable().describe('The version that was restored'),
    fields,
  })
  .meta({ id: 'MappingVersion' })

export default operation({
  id: 'listMappingVersions',
  method: 'GET',
  path: `${path}/mapping/versions`,
  summary: "List the versions of a destination's mapping",
  description: `Who saved which and when: the newest ${versionsMax}, newest first. \`PUT …/mapping\` with \`version\` restores one.`,
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  params: DestinationPath,
  reply: { 200: z.object({ data: z.array(MappingVersion) }).meta({ id: 'MappingVersions' }) },
  example: {
    data: [
      {
        version: 1,
        saved_at: '2026-11-24T04:30:00.000Z',
        saved_by: 'default (panji_8Qx2)',
        restored_from: null,
        fields: [],
      },
    ],
  },
  handle: async ({ db }, request, { accountId }) => {
    const { destinationId } = await readDestination(db, request.params.destination_id, accountId)
    const versions = await listVersions(db, destinationId)
    return { data: versions.map((each) => ({ ...each, saved_at: each.saved_at.toISOString() })) }
  },
})
