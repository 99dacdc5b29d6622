/** The OpenAPI document: generated from the routes' zod schemas, with what all routes have in common added to each. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { roleForScopes } from '../domain/account-role.ts'
import type { OpenApiDocument } from './document-shape.ts'
import { tags } from './document-tags.ts'
import { DocumentedError, errorsOf } from './documented-errors.ts'
import { cookieNames } from './hooks/browser-session.ts'
import { patchDocument } from './patch-document.ts'

const introduction = `Indian companies, directors and GST registrations: search, details, feeds, orders and leads.

## First steps

1. Exchange your API key: \`POST /api/auth/login\` with \`{"api_key": "panji_…"}\`.
2. Send \`token.access_token\` with every call: \`Authorization: Bearer <access_token>\`. On this page, paste it into
   **Bearer Token**; every request below then carries it. It lasts one hour; \`POST /api/auth/refresh-token\` renews it.
3. \`GET /api/access\` says what your key may do: which feeds, places and days, how many credits, what is left of today.
4. Search: \`POST /api/screener/search\`. Save the query and run it again: \`POST /api/screener/screeners\`, then its \`run\`.
5. Read what was registered lately: \`POST /api/recently-registered/gst\`. An empty body is the first page.

## Rights

Each operation says what it needs: \`x-scopes\` lists the required scopes of the API key; \`x-role\` is the least role of a signed-in
person (viewer, buyer, admin), or under \`/admin\` of an operator (accountant, viewer, operator, owner). A 403 \`SCOPE_MISSING\` or
\`ROLE_MISSING\` names what is missing.

## The screener language

\`State == 'Maharashtra' AND paidUpCapital > 1000000 AND NOT llpStatus IN ['Struck Off', 'Amalgamated']\`

Comparisons of a field with a value: \`== != > >= < <= IN BETWEEN CONTAINS STARTS_WITH ENDS_WITH IS NULL\`; combined with \`AND\`, \`OR\`,
\`NOT\` and parentheses. Field names are case-sensitive, and so are values, except identifiers, cities, districts and those that \`GET /api/screener/fields\` lists;
\`CONTAINS\`, \`STARTS_WITH\` and \`ENDS_WITH\` ignore case. A condition on a missing value is not true, and neither is its negation: \`IS NULL\` finds those records. Names of companies and trade names are compared
regardless of case, punctuation and legal form; if the text contains a form along with other words, or ends within one, the form counts too, in any
spelling: \`ENDS_WITH 'IONS PRIVATE LIMITED'\` and \`CONTAINS 'IONS PRIV'\` find \`VISIONS PVT. LTD.\`, not \`VISIONS LIMITED\`. Text is in single quotes; days are \`'YYYY-MM-DD'\` or relative to
today in India: \`>= this month\`, \`IN LAST 7 DAYS\`, \`since 1 April\`, \`== last financial year\`, evaluated at each run.
\`has_mobile\` and \`has_email\` find records with a contact, \`has_website\` for those with a website,
\`boardSize\` is the number of directors of a company, \`owned\` finds records whose lead you own.
\`GET /api/screener/fields\` lists every field with its operators and an example; an error names its position and a correction.

## Lists

\`page\` counts from 1, \`limit\` is 10 by default and 100 at most; \`total\` is exact. Searches also return \`next_cursor\`, which
reaches beyond page × limit = 10,000.

## Limits

Details, searches and runs of screeners have daily limits by plan, which reset at midnight UTC; all calls together are limited
per minute. Every answer says what is left in \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`. After a 429 wait for \`Retry-After\`. A failed call
uses nothing. Feed records have their own daily budget: \`X-RateLimit-Records-*\` and
\`rate_limits.record_budget\` of \`GET /api/access\`. What you store is limited by plan: 409 \`QUOTA_EXCEEDED\` names the figure.

## Errors and repeats

Every error has \`detail\` (what is wrong, in a sentence), \`error_code\` (stable), \`request_id\` and \`doc_url\`, the page with the
remedy of the code; each operation lists its codes. Unknown parameters and members are a 400 that names the nearest known one. A day that is not
written \`YYYY-MM-DD\` is a 400, one that does not exist a 422. Send an \`Idempotency-Key\` with calls that must take effect once,
such as an order, so that a retry after a broken connection is safe.`

export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Panji API',
      version: '1.0.0',
      summary: 'Indian companies, directors and GST registrations.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server' },
    },
    tags: tags.map(({ name, description }) => ({ name, description })),
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /api/auth/login.' },
        appCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieNames.app,
          description: 'From POST /app/session. Every call also needs X-CSRF-Token.',
        },
        consoleCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieNames.console,
          description: 'From POST /console/session. Every call also needs X-CSRF-Token.',
        },
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
    if (!schema || schema.hide) return jsonSchemaTransform(document)
    const facts = factsOf(route)
    const { schema: transformed, url } = jsonSchemaTransform({
      ...document,
      schema: {
        ...schema,
        ...(facts.guard === 'public' ? { security: [] } : {}),
        response: { ...asRecord(schema.response), ...errorResponses(facts) },
      },
    })
    return { schema: { ...transformed, ...headerParameters(route), ...effectsOf(route), ...rightsOf(route) }, url }
  },
  transformObject: (document) => {
    const transformed = jsonSchemaTransformObject(document)
    return patchDocument(transformed as OpenApiDocument) as typeof transformed
  },
}

type RouteFacts = Parameters<typeof errorsOf>[0]

function factsOf(route: RouteOptions): RouteFacts {
  const { url, method, config, schema } = route
  const isOfAccount = schema?.security === undefined || schema.security.some((each) => 'appCookie' in each)
  const guard = config?.public === true ? 'public' : isOfAccount ? 'account' : 'operator'
  return {
    guard,
    hasBody: method !== 'GET',
    hasPathParameter: url.includes(':'),
    idempotent: Boolean(config?.idempotent),
    own: config?.errors ?? [],
  }
}

function errorResponses(facts: RouteFacts) {
  const entries = [...errorsOf(facts)].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: DocumentedError } },
    },
  ])
  return Object.fromEntries(entries)
}

/**
 * What a program that acts for a person must know before it calls: whether the call only reads, is destructive, or may
 * be repeated.
 */
function effectsOf({ method, config }: RouteOptions) {
  // Of operations without a login, a POST opens a session or sends an e-mail.
  const asks = config?.public !== true && config?.audit !== undefined && config.audit !== 'act'
  // An operation with an Idempotency-Key has an effect, even if the audit log counts its response as a read.
  const isRead = method === 'GET' || (method === 'POST' && asks && !config?.idempotent)
  return {
    'x-read-only': isRead,
    'x-destructive': !isRead && (method === 'DELETE' || config?.destructive === true),
    'x-idempotent': isRead || method === 'PUT' || method === 'DELETE',
  }
}

/** Required scopes of a key, role of a person, or role of an operator; nothing for public operations. */
function rightsOf({ config }: RouteOptions) {
  if (config?.public === true) return {}
  if (config?.role !== undefined) return { 'x-role': config.role }
  const scopes = config?.scopes ?? ['read']
  return { 'x-scopes': scopes, 'x-role': config?.atLeast ?? roleForScopes(scopes) }
}

/** Headers that a hook reads, so that the routes do not declare them. */
function headerParameters({ config }: RouteOptions) {
  const headers = {
    ...(config?.idempotent ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(config?.etag ? { 'If-None-Match': ifNoneMatch } : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers: { type: 'object', properties: headers } }
}

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A string of your own, such as a UUID: the same request with the same key within 24 hours takes effect once, and the ' +
    'first answer is returned with Idempotency-Replayed: true.',
  examples: ['1f6e0f3c-6f0a-4c55-9f3e-0b2f3a5f7a10'],
}
const ifNoneMatch = {
  type: 'string',
  description: 'The ETag of an earlier answer: if it still matches, the answer is a 304 without a body.',
  examples: ['"7d5c1b2e"'],
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
