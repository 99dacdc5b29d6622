/** The OpenAPI document: generated from the routes' zod schemas, with the error shape added to each of them. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { ErrorBody } from './error-reply.ts'

const introduction = `Indian companies, directors and GST registrations: search, details, feeds, orders and leads.

1. Exchange your API key: \`POST /api/auth/login\` with \`{"api_key": "panji_…"}\`.
2. Send \`token.access_token\` with every call: \`Authorization: Bearer <access_token>\`. It lasts one hour;
   \`POST /api/auth/refresh-token\` renews it.
3. \`GET /api/access\` says what your key may do.

Every error has \`detail\`, \`error_code\` and \`request_id\`. After a 429 wait for \`Retry-After\`.`

export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Panji API', version: '1.0.0', description: introduction },
    tags: [
      { name: 'Authentication', description: 'From API key to access token.' },
      { name: 'Account', description: 'Who you are and what you may do.' },
      { name: 'Feeds', description: 'Recently registered records within your entitlement.' },
      { name: 'Watchlists', description: 'Your own lists of companies, directors or GST registrations.' },
      { name: 'Operations', description: 'Health, and the operator endpoints under /admin.' },
    ],
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /api/auth/login.' },
        operatorToken: { type: 'http', scheme: 'bearer', description: 'PANJI_OPERATOR_TOKEN.' },
      },
    },
    security: [{ accessToken: [] }],
  },
  transform: (document) => {
    const { route, schema } = document
    const withErrors = { ...schema, response: { ...asRecord(schema?.response), '4XX': ErrorBody, '5XX': ErrorBody } }
    const security = route.config?.public === true ? { security: [] } : {}
    return jsonSchemaTransform({ ...document, schema: { ...security, ...(schema?.hide ? schema : withErrors) } })
  },
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
