import { z } from 'zod'
import { createGstDetailsReader } from '../../../registry/details/gst.ts'
import { readGstAsOf } from '../../../registry/history/read-as-of.ts'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { membersOf } from '../../record-schemas.ts'
import { detailsFacts, include, readAskedOrigin, repliesWith } from './detail-schemas.ts'
import example from './gst.example.json' with { type: 'json' }
import { asOfParameter, found, identifierParameter, rateLimitOf } from './record-read.ts'

const GstDetails = z.object(membersOf('gst', 'details')).meta({ id: 'GstDetails' })

export default operation({
  id: 'getGstDetails',
  ...detailsFacts,
  path: '/api/gst/details',
  summary: 'Details of one GST registration',
  description: 'The check digit is verified first. Counts as one call of the daily details limit.',
  query: z.object({
    gstin: identifierParameter(exampleRecords.gstin, 'GSTIN, 15 characters'),
    as_of: asOfParameter,
    include,
  }),
  reply: repliesWith(GstDetails),
  example,
  prepare: ({ registers }) => {
    const readGstDetails = createGstDetailsReader(registers)
    return async (request) => {
      const gstin = gstinFrom(request.query.gstin)
      const origin = await readAskedOrigin(registers, request.query.include, 'gst', gstin)
      const day = request.query.as_of
      const { details, version } =
        day === undefined
          ? { details: found(await readGstDetails(gstin), 'gst', gstin), version: undefined }
          : await readGstAsOf(registers, gstin, day)
      return { data: details, version, origin, rate_limit: rateLimitOf(request.limitState) }
    }
  },
})
