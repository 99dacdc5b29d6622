import { z } from 'zod'
import { filterGst } from '../../../registry/filters.ts'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { readMeaning } from '../../../registry/words/requested-word.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { paging, stateAsked, textFilter } from '../../parameters.ts'
import { GstHit } from '../screener/screener-schemas.ts'
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
  id: 'searchGstRegistrations',
  ...filterFacts,
  path: '/api/gst/gst-filter',
  summary: 'Find GST registrations by GSTIN, trade name, state and status',
  description: `All parameters are optional; a record must match all of them. ${anyCasing} ${nameRule} ${pageRule}`,
  otherNames: reachNames,
  query: z.object({
    GSTIN: textFilter('GSTIN').meta({ examples: [exampleRecords.gstin] }),
    TradeName: textFilter('Full or partial name').meta({ examples: [exampleRecords.tradeName] }),
    State: textFilter('State, in any common spelling').meta({ examples: ['Goa'] }),
    Status: textFilter('Status, for example Active; any spelling').meta({ examples: ['Active'] }),
    ...reachParameters,
    ...paging(100),
    cursor,
  }),
  reply: { 200: z.array(GstHit) },
  example: [
    {
      GSTIN: '27AAACR5055K1Z7',
      TradeName: 'KONKAN PETRO',
      state: 'Maharashtra',
      Status: 'Active',
      TaxpayerType: 'Regular',
    },
  ],
  handle: async ({ db, expensiveReads }, request, _caller, reply) => {
    const { query } = request
    const { GSTIN, TradeName, State, Status, page, limit } = query
    const gstin = GSTIN === undefined ? undefined : gstinFrom(GSTIN, 'GSTIN')
    const state = stateAsked('State', State)
    const status = { entity: 'gst', column: 'status', parameter: 'Status' } as const
    const statuses = Status === undefined ? undefined : await readMeaning(db, { ...status, text: Status })
    const reach = await reachAsked(db, request, query)
    const filter = { gstin, tradeName: TradeName, state, statuses, page, limit, cursor: query.cursor, ...reach }
    return [...paged(reply, await expensiveReads.run(request, (expensiveDb) => filterGst(expensiveDb, filter)))]
  },
})
