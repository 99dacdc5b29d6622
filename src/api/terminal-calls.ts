/**
 * Operations called within this process by the operator at the machine's terminal: the same validation, handler and
 * reply as over HTTP, without a port. There is no authentication, because anyone who can read the data directory is its
 * owner; what they do is in the audit log under the command that they run.
 */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type InjectOptions, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { createRequestLog } from '../access/request-log/request-log.ts'
import { type Acting, actAs, actingNow } from '../audit/acting.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import { Secret } from '../domain/secret.ts'
import { createContext } from './create-context.ts'
import { createDrain } from './drain.ts'
import { createExpensiveReads } from './expensive-reads.ts'
import { createAnonymousClients } from './hooks/anonymous-clients.ts'
import { refuseUnknownParameters } from './hooks/known-parameters.ts'
import { addTerminalOperator } from './hooks/operator.ts'
import type { Operation } from './operation.ts'
import { createOperatorAuthenticators } from './operator-authenticators.ts'
import { registerOperations } from './register-operations.ts'
import { requestValidator } from './request/request-faults.ts'
import type { ServerOptions } from './server-options.ts'

type Sent<T> = T extends z.ZodType ? z.input<T> : never
type Answered<R> = R[keyof R] extends infer Reply
  ? Reply extends z.ZodType
    ? z.output<Reply>
    : Reply extends { readonly content: infer Content }
      ? ReadAs<Content>
      : string
  : never
type ReadAs<Content> = {
  [T in keyof Content]: T extends 'application/json'
    ? Content[T] extends { readonly schema: infer S extends z.ZodType }
      ? z.output<S>
      : never
    : T extends `text/${string}`
      ? string
      : Buffer
}[keyof Content]

/** Input of a call of the operation. */
export interface TerminalCall<O extends Operation> {
  readonly params?: Sent<O['params']>
  readonly query?: Sent<O['query']>
  readonly body?: Sent<O['body']>
}

/** Called once for each operation of a command. */
export interface TerminalCalls {
  /** @returns the reply; text as text, the bytes of any other file. @throws any error of the operation. */
  call<O extends Operation>(operation: O, request?: TerminalCall<O>): Promise<Answered<O['reply']>>
}

export function terminalCalls(given: Omit<ServerOptions, 'operatorToken'>): TerminalCalls {
  // Nobody can present it.
  const options = { ...given, operatorToken: new Secret(randomUUID()) }
  return {
    async call<O extends Operation>(operation: O, { params, query, body }: TerminalCall<O> = {}) {
      const faults: unknown[] = []
      const app = await buildTerminalServer(operation, options, faults)
      try {
        const reply = await app.inject({
          method: operation.method,
          path: pathOf(operation.path, params as Values),
          query: textsOf(query as Values),
          ...(body === undefined ? {} : { payload: body as InjectOptions['payload'] }),
        } as InjectOptions)
        if (faults.length > 0) throw faults[0]
        const type = String(reply.headers['content-type'] ?? '')
        if (type.startsWith('application/json')) return reply.json() as Answered<O['reply']>
        return (type === '' || type.startsWith('text/') ? reply.body : reply.rawPayload) as Answered<O['reply']>
      } finally {
        await app.close()
      }
    },
  }
}

/** A server with only this operation. Its errors are rethrown as they are. */
async function buildTerminalServer(
  operation: Operation,
  options: ServerOptions,
  faults: unknown[],
): Promise<FastifyInstance> {
  const { db, log } = options
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.setValidatorCompiler(requestValidator)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, _request, reply) => {
    faults.push(error)
    return reply.code(500).send()
  })
  const auditLog = createAuditLog(db, (error) => log.error({ err: error }, 'could not write the audit log'))
  app.addHook('onClose', () => auditLog.flush())
  addTerminalOperator(app)
  actAsCaller(app, actingNow())
  refuseUnknownParameters(app)
  const anonymous = createAnonymousClients()
  const requestLog = createRequestLog(db, (error) => log.error({ err: error }, 'could not write the request log'))
  const made = { anonymous, auditLog, requestLog, expensiveReads: createExpensiveReads(db, { db, places: 1 }) }
  const context = createContext(app, options, {
    ...made,
    authenticators: createOperatorAuthenticators(options, anonymous),
    drain: createDrain(),
  })
  registerOperations(app, [operation], () => ({
    ...context,
    get metrics(): never {
      throw new Error('only a listening server has metrics')
    },
  }))
  return app
}

/** Rows of the audit log name the command that wrote them. */
function actAsCaller(app: FastifyInstance, acting: Acting | undefined): void {
  if (!acting) return
  app.addHook('preValidation', (_request, _reply, done) => actAs(acting, done))
}

type Values = Readonly<Record<string, unknown>> | undefined

const pathOf = (path: string, params: Values): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params?.[name] ?? '')))

function textsOf(query: Values): Record<string, string> {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
