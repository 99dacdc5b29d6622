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
        as_of: day('Day as of which it was last seen whole'),
        run_id: z.number().describe('The run that saw it'),
      })
      .meta({ id: 'ScopeDay' }),
  ),
})

export default operation({
  id: 'listScopes',
  method: 'GET',
  path: '/admin/sources/:source/scope',
  tag: 'Operations',
  summary: 'As of which day each part of a register was last seen',
  description: 'Rows of a snapshot of an earlier day are skipped there.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  params: SourcePath,
  reply: { 200: ScopeDays },
  example: {
    data: [{ scope: 'Goa', as_of: '2026-11-01', run_id: 3 }],
  },
  handle:
    ({ db }) =>
    async ({ params: { source } }) => ({ data: await listScopes(db, known(source)) }),
})
