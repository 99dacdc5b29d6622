import { operation } from '../../operation.ts'
import { Health } from './health.ts'

export default operation({
  id: 'checkReadiness',
  method: 'GET',
  path: '/readyz',
  summary: 'Readiness: can the process serve requests?',
  description:
    '503 where the database is unreachable, unresponsive or read-only, or is sealed under another secret key; `reason` says why. Checked at most once a second, however many ask.',
  caller: 'public',
  audit: 'nothing',
  exempt: true,
  probe: true,
  errors: ['SECRET_KEY_WRONG', 'NOT_WRITABLE', 'POOLER_UNSUITABLE'],
  reply: { 200: Health },
  example: { status: 'ok' },
  handle: async ({ readiness }) => {
    await readiness()
    return { status: 'ok' as const }
  },
})
