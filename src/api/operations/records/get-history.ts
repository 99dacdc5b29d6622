import { z } from 'zod'
import { registerSpelling } from '../../../domain/entity-identifier.ts'
import { historySorts, readHistory } from '../../../registry/history/read-history.ts'
import { operation } from '../../operation.ts'
import { paging, sorting } from '../../parameters.ts'
import { found } from '../details/record-read.ts'
import historyExample from '../history/company.example.json' with { type: 'json' }
import { HistoryReply } from '../history/history-schemas.ts'
import { RecordPath } from './record-path.ts'

const { data, total, page, limit, retained_from } = HistoryReply.shape
const example = historyExample as z.input<typeof HistoryReply>

export default operation({
  id: 'getRecordHistory',
  method: 'GET',
  path: '/admin/records/:entity/:identifier/history',
  summary: 'Get the history of a record and its appointments',
  description: 'Newest first unless sorted. With the run, file and line of each change, and the run that undid it.',
  caller: { role: 'viewer' },
  audit: { reads: 'history' },
  params: RecordPath,
  query: z.object({ ...sorting(historySorts), ...paging(100) }),
  reply: { 200: z.object({ data, total, page, limit, retained_from }) },
  example: {
    data: example.data,
    total: example.total,
    page: example.page,
    limit: example.limit,
    retained_from: example.retained_from,
  },
  handle: async ({ db }, { params, query }) => {
    const record = { entity: params.entity, identifier: registerSpelling(params.entity, params.identifier) }
    const history = await readHistory(db, { ...record, withDirectorships: true, ...query })
    const { page, limit } = query
    return { ...found(history, record.entity, params.identifier), page, limit }
  },
})
