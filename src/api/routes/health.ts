import { z } from 'zod'
import type { Routes } from '../route-context.ts'

const schema = { tags: ['Operations'], response: { 200: z.object({ status: z.literal('ok') }) } }

/** `/healthz`: the process lives. `/readyz`: it reaches its database; a 503 otherwise. */
export const healthRoutes: Routes = async (app, { db }) => {
  app.get(
    '/healthz',
    {
      config: { public: true },
      schema: { ...schema, summary: 'Is the process alive?', description: 'Asks nothing of the database.' },
    },
    async () => ({
      status: 'ok' as const,
    }),
  )
  app.get(
    '/readyz',
    {
      config: { public: true },
      schema: { ...schema, summary: 'Can it serve?', description: 'A 503 where the database is away.' },
    },
    async () => {
      await db.query('SELECT 1')
      return { status: 'ok' as const }
    },
  )
}
