/**
 * What zod and the routes do not say about the OpenAPI document: optional bodies, meanings of statuses, headers, and for
 * the calls of the first hour an answer as the sample world of `npm start` gives it.
 */
import exampleAnswers from './example-answers.json' with { type: 'json' }

type Operation = {
  readonly security?: readonly object[]
  readonly requestBody?: { required?: boolean; content: Record<string, { schema?: Alternatives }> }
  readonly responses?: Record<string, Response>
}
interface Response {
  description: string
  readonly content?: Readonly<Record<string, { example?: unknown }>>
  headers?: Record<string, object>
}
interface Alternatives {
  readonly anyOf?: readonly { readonly type?: string }[]
}

export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, object>>; readonly headers?: object }
}

const meanings: Readonly<Record<string, string>> = { 200: 'Success', 201: 'Created' }

const headers = {
  'X-RateLimit-Limit': { description: 'Calls allowed in the window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls left in the window', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'UTC timestamp at which the window ends', schema: { type: 'string' } },
  'X-RateLimit-Records-Limit': {
    description: 'Records that the feeds return per UTC day',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Records-Remaining': { description: 'Records left today', schema: { type: 'integer' } },
  'X-RateLimit-Records-Reset': { description: 'UTC timestamp of the next day', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
  ETag: {
    description: 'Send it as If-None-Match to be answered with 304 while nothing changed',
    schema: { type: 'string' },
  },
}
const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
type HeaderName = keyof typeof headers

export function mendDocument(document: OpenApiDocument): OpenApiDocument {
  const examples = new Map<string, unknown>(Object.entries(exampleAnswers))
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      mendBody(operation)
      mendResponses(operation, examples.get(`${method.toUpperCase()} ${path}`))
    }
  }
  const used = new Set(JSON.stringify(document.paths).match(/#\/components\/schemas\/\w+/g))
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) =>
    used.has(`#/components/schemas/${name}`),
  )
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas), headers } }
}

/** A body that may be null may be left out. */
function mendBody({ requestBody }: Operation): void {
  const body = requestBody?.content['application/json']
  const present = body?.schema?.anyOf?.filter(({ type }) => type !== 'null')
  if (!requestBody || !body || !present || present.length === (body.schema?.anyOf?.length ?? 0)) return
  requestBody.required = false
  body.schema = present.length === 1 ? (present[0] as Alternatives) : { anyOf: present }
}

function mendResponses({ responses = {}, security }: Operation, example: unknown): void {
  for (const [status, response] of Object.entries(responses)) {
    const content = response.content?.['application/json']
    if (content && example !== undefined && Number(status) < 300) content.example = example
    if (response.description === 'Default Response') response.description = meanings[status] ?? 'Success'
    const names: HeaderName[] = [
      ...(security === undefined && Number(status) < 300 ? limitHeaders : []),
      ...(['429', '503'].includes(status) ? (['Retry-After'] as const) : []),
      ...('304' in responses && Number(status) < 400 ? (['ETag'] as const) : []),
    ]
    if (names.length === 0) continue
    response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }
}
