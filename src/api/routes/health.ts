import { z } from 'zod'
import type { Readiness } from '../readiness.ts'
import type { Routes } from '../route-context.ts'

const schema = { tags: ['Operations'], response: { 200: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }) } }

/** `/healthz`: the process lives. `/readyz`: it reaches its database and has the key of what is sealed there; a 503 that says why otherwise. */
export const healthRoutes =
  (readiness: Readiness): Routes =>
  async (app) => {
    app.get(
      '/healthz',
      {
        config: { public: true },
        schema: {
          operationId: 'checkHealth',
          ...schema,
          summary: 'Is the process alive?',
          description: 'Asks nothing of the database.',
        },
      },
      async () => ({
        status: 'ok' as const,
      }),
    )
    app.get(
      '/readyz',
      {
        config: { public: true, errors: ['SECRET_KEY_WRONG', 'NOT_WRITABLE', 'POOLER_UNSUITABLE'] },
        schema: {
          operationId: 'checkReadiness',
          ...schema,
          summary: 'Can it serve?',
          description:
            'A 503 where the database is away, silent, takes no writes, or is sealed under another secret key; `reason` says why. Asked once a second at most, whoever asks.',
        },
      },
      async () => {
        await readiness()
        return { status: 'ok' as const }
      },
    )
  }
