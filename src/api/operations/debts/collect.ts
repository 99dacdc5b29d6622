import { operation } from '../../operation.ts'
import { DebtPath, SettledDebt, SettlementBody, settledAs } from './debt-schemas.ts'

export default operation({
  id: 'collectDebt',
  method: 'POST',
  path: '/admin/users/:id/debt/collect',
  summary: "Record a payment towards an account's debt",
  description:
    'For money that came another way, such as by bank transfer. Fails for more than is owed, and for a reference that another amount was settled under; a repeat changes nothing.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: DebtPath,
  body: SettlementBody,
  reply: { 200: SettledDebt },
  example: { user_id: '76b068a4-7b08-4d26-b08f-81297441e755', settled: 1000, owed: 58000 },
  handle: settledAs('collect'),
})
