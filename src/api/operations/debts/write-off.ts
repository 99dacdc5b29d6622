import { operation } from '../../operation.ts'
import { DebtPath, SettledDebt, SettlementBody, settledAs } from './debt-schemas.ts'

export default operation({
  id: 'writeOffDebt',
  method: 'POST',
  path: '/admin/users/:id/debt/write-off',
  summary: 'Write off what an account owes',
  description:
    'Booked as a loss. Fails for more than is owed, and for a reference that another amount was settled under; a repeat changes nothing.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['CONFLICT'],
  params: DebtPath,
  body: SettlementBody,
  reply: { 200: SettledDebt },
  example: { user_id: '76b068a4-7b08-4d26-b08f-81297441e755', settled: 1000, owed: 58000 },
  handle: settledAs('write_off'),
})
