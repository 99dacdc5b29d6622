import { z } from 'zod'
import { filterCompanies } from '../../../registry/filters.ts'
import { companyIdFrom } from '../../../registry/identifier-input.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { paging, stateAsked, textFilter } from '../../parameters.ts'
import { CompanyHit } from '../screener/screener-schemas.ts'
import {
  anyCasing,
  cursor,
  filterFacts,
  nameRule,
  paged,
  pageRule,
  reachAsked,
  reachNames,
  reachParameters,
} from './filter-schemas.ts'

export default operation({
  id: 'searchCompanies',
  ...filterFacts,
  path: '/api/company/company-filter',
  summary: 'Find companies by identifier, name, state and city',
  description: `All parameters are optional; a record must match all of them. ${anyCasing} ${nameRule} ${pageRule}`,
  otherNames: { companyName: 'company', ...reachNames },
  query: z.object({
    CIN: textFilter('CIN, LLPIN, FLLPIN or FCRN').meta({ examples: [exampleRecords.cin] }),
    company: textFilter('Full or partial name').meta({ examples: [exampleRecords.companyName] }),
    state: textFilter('State, in any common spelling').meta({ examples: ['Goa'] }),
    city: textFilter('City').meta({ examples: ['Panaji'] }),
    ...reachParameters,
    ...paging(100),
    cursor,
  }),
  reply: { 200: z.array(CompanyHit) },
  example: [
    {
      CIN: 'AAC-3965',
      State: null,
      City: null,
      paidUpCapital: null,
      llpStatus: 'Active',
      companyName: 'MANDOVI PARTNERS LLP',
    },
  ],
  handle: async ({ db, expensiveReads }, request, _caller, reply) => {
    const { CIN, ...rest } = request.query
    const cin = CIN === undefined ? undefined : companyIdFrom(CIN, 'CIN')
    const filter = { ...rest, cin, state: stateAsked('state', rest.state), ...(await reachAsked(db, request, rest)) }
    return [...paged(reply, await expensiveReads.run(request, (expensiveDb) => filterCompanies(expensiveDb, filter)))]
  },
})
