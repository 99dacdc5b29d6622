import { z } from 'zod'
import { endConsoleSession } from '../../../access/console-sessions.ts'
import { exampleIds } from '../../example-records.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { Ended } from './session-schemas.ts'

export default operation({
  id: 'endConsoleSession',
  method: 'DELETE',
  path: '/console/sessions/:id',
  summary: 'End a console session',
  description: 'One of your own; owners can also end those of other operators.',
  caller: { role: 'accountant' },
  audit: 'act',
  params: z.object({
    id: z
      .string()
      .max(100)
      .meta({ description: 'session_id', examples: [exampleIds.session] }),
  }),
  reply: { 204: Ended },
  example: null,
  handle: async ({ db }, request) => {
    await db.transaction((tx) => endConsoleSession(tx, enteredOf(request).operator, request.params.id))
    return null
  },
})
