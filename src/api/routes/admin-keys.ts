/** What operators do for an account's keys, and owners for the operators themselves. Each act leaves an audit row. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { getAccount } from '../../access/accounts.ts'
import { createApiKey, keyState, listApiKeys, revokeApiKey } from '../../access/manage-keys.ts'
import { addOperator, listOperators, operatorState, revokeOperator } from '../../access/manage-operators.ts'
import { keyScopes } from '../../domain/key-scope.ts'
import { operatorRoles } from '../../domain/operator-role.ts'
import { timestamp } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody } from '../parameters.ts'
import type { RouteContext } from '../route-context.ts'
import { admin, UserPath } from './admin.ts'
import { ApiKeys, CreatedKey, KeyPath, NewKeyBody, RevokedKey, wishesOf } from './key-schemas.ts'

const Operator = z
  .object({
    name: z.string(),
    role: z.enum(operatorRoles),
    created_at: timestamp(),
    last_used_at: timestamp().nullable(),
    revoked_at: timestamp().nullable(),
  })
  .meta({ id: 'Operator' })

export const adminKeyRoutes: FastifyPluginAsyncZod<RouteContext> = async (app, { db }) => {
  app.get(
    '/admin/users/:id/keys',
    {
      schema: {
        operationId: 'listAccountKeys',
        ...admin,
        summary: "An account's API keys, the newest first",
        description: 'With scopes, last use and end.',
        params: UserPath,
        response: { 200: ApiKeys },
      },
    },
    async ({ params: { id } }) => {
      const { accountId } = await getAccount(db, id)
      return { data: (await listApiKeys(db, accountId)).map(keyState) }
    },
  )

  app.post(
    '/admin/users/:id/keys',
    {
      config: { errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'createAccountKey',
        ...admin,
        summary: 'Make an API key for an account',
        description: 'All scopes unless told. The key is shown only in this answer.',
        params: UserPath,
        body: NewKeyBody,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const by = { actor: operatorOf(request), scopes: keyScopes }
      const { record, apiKey } = await db.transaction(async (tx) => {
        const { accountId } = await getAccount(tx, request.params.id)
        return createApiKey(tx, accountId, by, wishesOf(request.body))
      })
      return reply.code(201).send({ ...keyState(record), api_key: apiKey })
    },
  )

  app.delete(
    '/admin/users/:id/keys/:prefix',
    {
      schema: {
        operationId: 'revokeAccountKey',
        ...admin,
        summary: "Revoke an account's API key",
        description: 'And end the sessions that it opened. Revoking twice is no error.',
        params: UserPath.extend(KeyPath.shape),
        body: noBody,
        response: { 200: RevokedKey },
      },
    },
    async (request) => {
      const by = { actor: operatorOf(request), scopes: keyScopes }
      const { record, sessionsEnded } = await db.transaction(async (tx) => {
        const { accountId } = await getAccount(tx, request.params.id)
        return revokeApiKey(tx, accountId, request.params.prefix, by)
      })
      return { ...keyState(record), sessions_ended: sessionsEnded }
    },
  )
}

export const adminOperatorRoutes: FastifyPluginAsyncZod<
  RouteContext & { readonly operatorNames: readonly string[] }
> = async (app, { db, operatorNames }) => {
  const config = { role: 'owner' } as const
  app.get(
    '/admin/operators',
    {
      config,
      schema: {
        operationId: 'listOperators',
        ...admin,
        summary: 'Operators that are stored, living and revoked',
        description: 'For owners. Those of the environment stand there.',
        response: { 200: z.object({ data: z.array(Operator) }) },
      },
    },
    async () => ({ data: (await listOperators(db)).map(operatorState) }),
  )

  app.post(
    '/admin/operators',
    {
      config: { ...config, errors: ['UNPROCESSABLE', 'CONFLICT'] },
      schema: {
        operationId: 'addOperator',
        ...admin,
        summary: 'Add an operator',
        description: 'For owners. A viewer reads, an operator also acts, an owner also decides who the operators are.',
        body: z
          .strictObject({
            name: z.string().max(40).describe('Small letters, digits and . _ -; stands in the audit log'),
            role: z.enum(operatorRoles).describe('viewer, operator or owner'),
          })
          .meta({ examples: [{ name: 'ravi', role: 'viewer' }] }),
        response: {
          201: Operator.extend({ token: z.string().describe('Shown only now') }).meta({ id: 'CreatedOperator' }),
        },
      },
    },
    async (request, reply) => {
      const asked = { ...request.body, namesTaken: operatorNames, actor: operatorOf(request) }
      const { record, token } = await db.transaction((tx) => addOperator(tx, asked))
      return reply.code(201).send({ ...operatorState(record), token })
    },
  )

  app.delete(
    '/admin/operators/:name',
    {
      config,
      schema: {
        operationId: 'revokeOperator',
        ...admin,
        summary: 'Revoke an operator',
        description: 'For owners. The token opens nothing from the next call on.',
        params: z.object({
          name: z
            .string()
            .max(100)
            .meta({ description: 'Name of the operator', examples: ['ravi'] }),
        }),
        body: noBody,
        response: { 200: Operator },
      },
    },
    async (request) =>
      operatorState(await db.transaction((tx) => revokeOperator(tx, request.params.name, operatorOf(request)))),
  )
}
