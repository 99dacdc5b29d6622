import { operation } from '../../operation.ts'
import { Health } from './health.ts'

export default operation({
  id: 'checkHealth',
  method: 'GET',
  path: '/healthz',
  summary: 'Liveness: is the process running?',
  description: 'Does not use the database.',
  caller: 'public',
  audit: 'nothing',
  exempt: true,
  probe: true,
  reply: { 200: Health },
  example: { status: 'ok' },
  handle: async () => ({ status: 'ok' as const }),
})
