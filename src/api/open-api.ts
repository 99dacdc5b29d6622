/** The OpenAPI document: generated from the routes' zod schemas, with the error shape added to each of them. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ErrorBody } from './error-reply.ts'

const introduction = `Indian companies, directors and GST registrations: search, details, feeds, orders and leads.

1. Exchange your API key: \`POST /api/auth/login\` with \`{"api_key": "panji_…"}\`.
2. Send \`token.access_token\` with every call: \`Authorization: Bearer <access_token>\`. It lasts one hour;
   \`POST /api/auth/refresh-token\` renews it.
3. \`GET /api/access\` says what your key may do.

Every error has \`detail\`, \`error_code\` and \`request_id\`. After a 429 wait for \`Retry-After\`.`

/** For the document alone: the hook reads the header itself. */
const IdempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A name of yours for this request: sent again within 24 hours it gets the first answer, and happens once',
    ),
})

export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Panji API', version: '1.0.0', description: introduction },
    tags: [
      { name: 'Authentication', description: 'From API key to access token.' },
      { name: 'Account', description: 'Who you are and what you may do.' },
      { name: 'Details', description: 'One company, director or GST registration. The three share one daily limit.' },
      { name: 'Screener', description: 'Search in a query language, and saved searches that can be run again.' },
      { name: 'Filters', description: 'Lists by attribute, narrowed with every parameter.' },
      { name: 'Feeds', description: 'Recently registered records within your entitlement.' },
      { name: 'Orders', description: 'Records bought with credits, and their export.' },
      { name: 'CRM', description: 'The leads of an order, ready for import.' },
      { name: 'Watchlists', description: 'Your own lists of companies, directors or GST registrations.' },
      { name: 'Reference', description: 'HSN, SAC and NIC codes.' },
      { name: 'Operations', description: 'Health, and the operator endpoints under /admin.' },
    ],
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /api/auth/login.' },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'PANJI_OPERATOR_TOKEN, or the token of a named operator.',
        },
      },
    },
    security: [{ accessToken: [] }],
  },
  transform: (document) => {
    const { route, schema } = document
    const withErrors = { ...schema, response: { ...asRecord(schema?.response), '4XX': ErrorBody, '5XX': ErrorBody } }
    const security = route.config?.public === true ? { security: [] } : {}
    const headers = route.config?.idempotent ? { headers: IdempotencyHeader } : {}
    return jsonSchemaTransform({
      ...document,
      schema: { ...security, ...headers, ...(schema?.hide ? schema : withErrors) },
    })
  },
  transformObject: (document) => {
    if (!('openapiObject' in document)) return document.swaggerObject
    for (const path of Object.values(document.openapiObject.paths ?? {})) {
      for (const operation of Object.values(path ?? {})) mendOperation(operation as OperationObject)
    }
    return document.openapiObject
  },
}

interface OperationObject {
  readonly requestBody?: { required?: boolean; content: Record<string, { schema?: Alternatives }> }
  readonly responses?: Record<string, { description: string }>
}
interface Alternatives {
  readonly anyOf?: readonly { readonly type?: string }[]
}

const meanings: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  '4XX': 'Refused: `detail` says why, `error_code` is stable',
  '5XX': 'A fault of ours: report `request_id`',
}

/** What zod cannot say: a body that may be null may be left out, and what a status means. */
function mendOperation({ requestBody, responses }: OperationObject): void {
  const body = requestBody?.content['application/json']
  const present = body?.schema?.anyOf?.filter(({ type }) => type !== 'null')
  if (requestBody && body && present && present.length < (body.schema?.anyOf?.length ?? 0)) {
    requestBody.required = false
    body.schema = present.length === 1 ? (present[0] as Alternatives) : { anyOf: present }
  }
  for (const [status, response] of Object.entries(responses ?? {})) {
    if (response.description === 'Default Response') response.description = meanings[status] ?? 'Success'
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
