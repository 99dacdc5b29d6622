import { createStanding } from '../../../standing/create.ts'
import { resumeStanding } from '../../../standing/switch.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { talkErrors } from '../mappings/mapping-schemas.ts'
import { fitMappings } from './fit-mappings.ts'
import {
  draftOf,
  mappingsOf,
  presentStanding,
  StandingAnswer,
  StandingDraft,
  standingExample,
} from './standing-schemas.ts'

export default operation({
  id: 'createStandingOrder',
  method: 'POST',
  path: '/api/standing-orders',
  summary: 'Create a standing order',
  description:
    'Buys the records that start to match a query with each import, within a credit budget per day, month and run, and delivers them. ' +
    'It is a draft until you resume it with POST /api/standing-orders/{id}/resume, or start it at once with `state`. Its first run waits for your approval.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['NOT_FOUND', 'QUERY_SYNTAX', 'QUOTA_EXCEEDED', 'UNPROCESSABLE', ...talkErrors],
  idempotent: 'with-effect',
  body: StandingDraft,
  reply: { 201: StandingAnswer },
  example: standingExample,
  handle: async (context, request, { accountId }) => {
    const { db } = context
    const { state, ...draft } = request.body
    await fitMappings(context, request, mappingsOf(draft.delivery) ?? {})
    const actor = `account:${accountId}` as const
    return db.transaction(async (tx) => {
      const made = await createStanding(tx, accountId, draftOf(draft), actor)
      const order = state === 'active' ? await resumeStanding(tx, accountId, made.standingOrderId, { actor }) : made
      const body = presentStanding(order)
      await keepAnswerOf(tx, request, 201, body)
      return body
    })
  },
})
