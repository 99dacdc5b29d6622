import { z } from 'zod'
import { createDirectorDetailsReader } from '../../../registry/details/director.ts'
import { readDirectorAsOf } from '../../../registry/history/read-as-of.ts'
import { dinFrom } from '../../../registry/identifier-input.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { membersOf } from '../../record-schemas.ts'
import { detailsFacts, include, readAskedOrigin, repliesWith } from './detail-schemas.ts'
import example from './director.example.json' with { type: 'json' }
import { asOfParameter, date, found, identifierParameter, rateLimitOf, text } from './record-read.ts'

const DirectorDetails = z
  .object({
    ...membersOf('director', 'details'),
    companies: z.array(
      z
        .object({
          CIN: z.string(),
          companyName: text.describe('null for a company that is not in the company register'),
          Designation: z.string(),
          dateOfAppointment: date,
          dateOfCessation: date,
        })
        .meta({ id: 'Directorship' }),
    ),
  })
  .meta({ id: 'DirectorDetails' })

export default operation({
  id: 'getDirectorDetails',
  ...detailsFacts,
  path: '/api/company/director-details',
  summary: 'Details of one director with the companies',
  description: 'Leading zeros may be left out. Counts as one call of the daily details limit.',
  query: z.object({
    din: identifierParameter(exampleRecords.din, 'DIN, eight digits'),
    as_of: asOfParameter,
    include,
  }),
  reply: repliesWith(DirectorDetails),
  example,
  prepare: ({ registers }) => {
    const readDirectorDetails = createDirectorDetailsReader(registers)
    return async (request) => {
      const din = dinFrom(request.query.din)
      const origin = await readAskedOrigin(registers, request.query.include, 'director', din)
      const day = request.query.as_of
      const { details, version } =
        day === undefined
          ? { details: found(await readDirectorDetails(din), 'director', din), version: undefined }
          : await readDirectorAsOf(registers, din, day)
      return { data: details, version, origin, rate_limit: rateLimitOf(request.limitState) }
    }
  },
})
