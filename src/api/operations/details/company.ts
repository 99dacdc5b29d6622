import { z } from 'zod'
import { createCompanyDetailsReader } from '../../../registry/details/company.ts'
import { readCompanyAsOf } from '../../../registry/history/read-as-of.ts'
import { companyIdFrom } from '../../../registry/identifier-input.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { unchanged } from '../../parameters.ts'
import { membersOf } from '../../record-schemas.ts'
import example from './company.example.json' with { type: 'json' }
import { detailsFacts, include, Origin, readAskedOrigin, Version } from './detail-schemas.ts'
import { asOfParameter, date, found, identifierParameter, RateLimit, rateLimitOf, text } from './record-read.ts'
import { shownMembers } from './shown-members.ts'

const CompanyDetails = z.object(membersOf('company', 'details')).meta({ id: 'CompanyDetails' })
const Officer = z
  .object({
    DIN: z.string(),
    Name: text.describe('null for a director who is not in the director register'),
    Designation: z.string(),
    dateOfAppointment: date,
    dateOfCessation: date,
  })
  .meta({ id: 'Officer' })

export default operation({
  id: 'getCompanyDetails',
  ...detailsFacts,
  path: '/api/company/details',
  summary: 'Details of one company or LLP',
  description:
    'Accepts a CIN, LLPIN, FLLPIN or FCRN in any case. Counts as one call of the daily details limit. ' +
    '`email` is null on plans that get it with leads only.',
  query: z.object({
    cin: identifierParameter(exampleRecords.cin, 'CIN, LLPIN, FLLPIN or FCRN'),
    as_of: asOfParameter,
    include,
  }),
  reply: {
    200: z.object({
      data: CompanyDetails,
      version: Version,
      directors: z.array(Officer).optional().describe('Appointments on that day; only with as_of'),
      origin: Origin,
      rate_limit: RateLimit,
    }),
    304: unchanged,
  },
  example,
  prepare: ({ registers, settings }) => {
    const readCompanyDetails = createCompanyDetailsReader(registers)
    return async (request, principal) => {
      const cin = companyIdFrom(request.query.cin)
      const origin = await readAskedOrigin(registers, request.query.include, 'company', cin)
      const shown = shownMembers(principal, settings)
      const day = request.query.as_of
      if (day !== undefined) {
        const { details, version, officers } = await readCompanyAsOf(registers, cin, day)
        return {
          data: shown.details(details),
          version,
          directors: officers,
          origin,
          rate_limit: rateLimitOf(request.limitState),
        }
      }
      const data = found(await readCompanyDetails(cin), 'company', cin)
      return { data: shown.details(data), origin, rate_limit: rateLimitOf(request.limitState) }
    }
  },
})
