import { operation } from '../../operation.ts'
import { Health } from './health.ts'

export default operation({
  id: 'checkReadiness',
  method: 'GET',
  path: '/readyz',
  tag: 'Operations',
  summary: 'Can it serve?',
  description:
    'A 503 where the database is away, silent, takes no writes, or is sealed under another secret key; `reason` says why. Asked once a second at most, whoever asks.',
  caller: 'public',
  audit: 'nothing',
  exempt: true,
  probe: true,
  errors: ['SECRET_KEY_WRONG', 'NOT_WRITABLE', 'POOLER_UNSUITABLE'],
  reply: { 200: Health },
  example: { status: 'ok' },
  handle:
    ({ readiness }) =>
    async () => {
      await readiness()
      return { status: 'ok' as const }
    },
})
