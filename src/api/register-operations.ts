/**
 * Registers operations as routes of Fastify: their schemas for the document, the rest of the declaration for the hooks.
 */
import type { FastifyInstance } from 'fastify'
import { tagOf } from './document-tags.ts'
import type { Caller, Operation } from './operation.ts'
import type { ServerContext } from './server-context.ts'

export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  contextOf: (operation: Operation) => ServerContext,
): void {
  for (const operation of operations) {
    const { consumes } = operation
    if (consumes === undefined) addRoute(app, operation, contextOf(operation))
    else {
      void app.register(async (own) => {
        own.removeAllContentTypeParsers()
        own.addContentTypeParser([...consumes], (_request, body, done) => done(null, body))
        addRoute(own, operation, contextOf(operation))
      })
    }
  }
}

function addRoute(app: FastifyInstance, operation: Operation, context: ServerContext): void {
  const { id, method, path, summary, description, params, query, body, reply, bodyBytesMax, consumes } = operation
  const answer = operation.prepare(context)
  const status = statusOf(operation)
  app.route({
    method,
    url: path,
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    config: configOf(operation),
    schema: {
      operationId: id,
      tags: [tagOf(path)],
      summary,
      description,
      ...securityOf(operation.caller),
      ...(consumes ? { consumes: [...consumes] } : {}),
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      response: reply,
    },
    handler: (request, response) => {
      response.code(status)
      return answer(request, response)
    },
  })
}

/** Status of a response that sets none: the lowest of the declared ones. */
const statusOf = ({ reply }: Operation): number => Math.min(...Object.keys(reply).map(Number))

/** What hooks, limits and the document need of a route besides its caller. */
const copiedFacts = [
  ...(['audit', 'errors', 'limit', 'idempotent', 'ends', 'etag', 'otherNames', 'bodyMs', 'exempt', 'probe'] as const),
  ...(['leaves', 'ofBudget', 'beforeFactor', 'destructive'] as const),
]

function configOf(operation: Operation): object {
  const { caller } = operation
  const guard =
    caller === 'public'
      ? { public: true }
      : {
          ...('role' in caller ? { role: caller.role } : accountGuardOf(caller)),
          ...(caller.cookie === 'alone' ? { cookieAlone: true } : {}),
        }
  const declared = copiedFacts
    .map((name) => [name, operation[name]] as const)
    .filter(([, value]) => value !== undefined)
  return { ...guard, ...Object.fromEntries(declared) }
}

const accountGuardOf = ({ scopes, atLeast }: Extract<Caller, { readonly scopes: unknown }>) => ({
  scopes,
  ...(atLeast === undefined ? {} : { atLeast }),
})

/** The document requires an access token where an operation says nothing else. */
function securityOf(caller: Caller): { security?: Record<string, never[]>[] } {
  if (caller === 'public') return { security: [] }
  if ('role' in caller) return { security: [caller.cookie ? { consoleCookie: [] } : { operatorToken: [] }] }
  return caller.cookie ? { security: [{ appCookie: [] }] } : {}
}
