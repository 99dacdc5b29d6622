import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { KeyRing } from '../../access/signing-keys.ts'
import type { RouteContext } from '../route-context.ts'

const schema = { tags: ['Operations'], response: { 200: z.object({ status: z.literal('ok') }) } }

/** `/healthz`: the process lives. `/readyz`: it reaches its database and has the key of what is sealed there; a 503 otherwise. */
export const healthRoutes: FastifyPluginAsyncZod<RouteContext & { readonly keyRing: KeyRing }> = async (
  app,
  { db, keyRing },
) => {
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
      schema: {
        ...schema,
        summary: 'Can it serve?',
        description: 'A 503 where the database is away, or sealed under another secret key.',
      },
    },
    async () => {
      await keyRing.check(db)
      return { status: 'ok' as const }
    },
  )
}
