/**
 * What zod and the routes do not put into the OpenAPI document: optional bodies, meanings of statuses, headers,
 * examples implied by a schema, and for the calls of the first hour a response of the sample world of `npm start`.
 * Response schemas never forbid extra members, so that members may be added.
 */
import { answerHeaders, headersOf } from './answer-headers.ts'
import type { Alternatives, OpenApiDocument, Operation } from './document-shape.ts'
import { documentWebhooks } from './document-webhooks.ts'
import { operations } from './operations/index.ts'

const meanings: Readonly<Record<string, string>> = { 200: 'Success', 201: 'Created' }

export function patchDocument(document: OpenApiDocument): OpenApiDocument {
  const examples = new Map(operations.map(({ id, example }) => [id, example]))
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const operation of Object.values(methods)) {
      patchBody(operation)
      patchParameters(operation)
      patchResponses(operation, path, examples.get(operation.operationId ?? ''))
    }
  }
  const all = document.components?.schemas ?? {}
  const used = usedIn(document.paths, all)
  const schemas = Object.fromEntries(
    Object.entries(all).flatMap(([name, schema]) => (used.has(name) ? [[name, opened(schema)]] : [])),
  )
  return {
    ...document,
    webhooks: documentWebhooks(),
    components: { ...document.components, schemas, headers: answerHeaders },
  }
}

/** A nullable body is optional. */
function patchBody({ requestBody }: Operation): void {
  const body = requestBody?.content['application/json']
  const present = body?.schema?.anyOf?.filter(({ type }) => type !== 'null')
  if (!requestBody || !body || !present || present.length === (body.schema?.anyOf?.length ?? 0)) return
  requestBody.required = false
  body.schema = present.length === 1 ? (present[0] as Alternatives) : { anyOf: present }
}

/** A default, or the first allowed value, is an example. */
function patchParameters({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    const { schema } = parameter
    const example = parameter.example ?? schema?.default ?? schema?.const ?? schema?.enum?.[0]
    if (example !== undefined) parameter.example = example
  }
}

function patchResponses(operation: Operation, path: string, example: unknown): void {
  const { responses = {} } = operation
  for (const [status, response] of Object.entries(responses)) {
    if (response.description === 'Default Response') response.description = meanings[status] ?? 'Success'
    for (const content of Object.values(response.content ?? {})) content.schema = opened(content.schema ?? {})
    const content = response.content?.['application/json']
    if (content && example !== undefined && example !== null && Number(status) < 300) content.example = example
    const names = headersOf(operation, path, status)
    response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }
}

/** Removes `additionalProperties: false`, which zod writes for every object of a response. */
function opened<T>(schema: T): T {
  const isClosing = (key: string, value: unknown) => key === 'additionalProperties' && value === false
  return JSON.parse(JSON.stringify(schema), (key, value) => (isClosing(key, value) ? undefined : value)) as T
}

/** Names of the schemas that are referenced, directly or through others. */
function usedIn(root: unknown, schemas: Readonly<Record<string, object>>): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? {}).matchAll(/"#\/components\/schemas\/([\w-]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name])
    }
  }
  visit(root)
  return used
}
