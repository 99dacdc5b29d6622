import { changeStanding } from '../../../standing/create.ts'
import { operation } from '../../operation.ts'
import { talkErrors } from '../mappings/mapping-schemas.ts'
import { fitMappings } from './fit-mappings.ts'
import {
  changeOf,
  presentStanding,
  StandingAnswer,
  StandingChange,
  StandingPath,
  standingExample,
} from './standing-schemas.ts'

export default operation({
  id: 'changeStandingOrder',
  method: 'PATCH',
  path: '/api/standing-orders/:id',
  summary: 'Change a standing order',
  description:
    'Members left out keep their value. A changed query is a new version, and applies from the next import on. ' +
    'With the `revision` that you read, the call fails where somebody changed it since.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['CONFLICT', 'QUERY_SYNTAX', 'UNPROCESSABLE', ...talkErrors],
  params: StandingPath,
  body: StandingChange,
  reply: { 200: StandingAnswer },
  example: { ...standingExample, budget: { day: 50, month: 400, run: 50 } },
  handle: async (context, request, { accountId }) => {
    const { db } = context
    const { revision, ...body } = request.body
    const change = changeOf(body)
    await fitMappings(context, request, change.mappings ?? {})
    return presentStanding(
      await db.transaction((tx) =>
        changeStanding(tx, accountId, request.params.id, change, `account:${accountId}`, revision),
      ),
    )
  },
})
