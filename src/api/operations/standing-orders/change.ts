import { changeStanding } from '../../../standing/create.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
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
  tag: 'Standing orders',
  summary: 'Change a standing order',
  description: 'Members left out keep their value. Another query is a new version, and asks from the next import on.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['CONFLICT', 'QUERY_SYNTAX', 'UNPROCESSABLE'],
  params: StandingPath,
  body: StandingChange,
  reply: { 200: StandingAnswer },
  example: { ...standingExample, budget: { day: 50, month: 400, run: 50 } },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const change = changeOf(request.body)
      return presentStanding(
        await db.transaction((tx) => changeStanding(tx, accountId, request.params.id, change, `account:${accountId}`)),
      )
    },
})
