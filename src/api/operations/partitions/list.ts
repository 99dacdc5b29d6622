import { z } from 'zod'
import { listScopes } from '../../../ingest/conduct/lower-scopes.ts'
import { day } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { known, SourcePath, scopeName } from './partition-schemas.ts'

const ScopeDays = z.object({
  data: z.array(
    z
      .object({
        scope: scopeName,
        as_of: day('Day as of which it was last complete'),
        run_id: z.number().describe('The run that completed it'),
      })
      .meta({ id: 'ScopeDay' }),
  ),
})

export default operation({
  id: 'listScopes',
  method: 'GET',
  path: '/admin/sources/:source/scope',
  summary: 'List the partitions of a register with their as-of day',
  description: 'Rows of a snapshot of an earlier day are skipped.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  params: SourcePath,
  reply: { 200: ScopeDays },
  example: {
    data: [{ scope: 'Goa', as_of: '2026-11-01', run_id: 3 }],
  },
  handle: async ({ db }, { params: { source } }) => ({ data: await listScopes(db, known(source)) }),
})
