/**
 * Checks answers against the served OpenAPI document with ajv, a JSON Schema validator that is independent of the zod
 * schemas from which the document is generated and answers are serialised.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { LightMyRequestResponse } from 'fastify'
import { type ErrorCode, errorCodes } from '../../src/errors.ts'
import type { TestApi } from './api.ts'
import type { ApiOperation } from './openapi.ts'

export interface DocumentChecker {
  /** How an answer differs from the document, in words; empty where it conforms. */
  faultsOf(reply: LightMyRequestResponse, operation: ApiOperation): string[]
  /** How an operation's examples differ from its own schemas. */
  exampleFaultsOf(operation: ApiOperation): string[]
}

/** Headers of every HTTP server, and those that instruct browsers and caches. */
const transport = new Set([
  ...[
    'content-type',
    'content-length',
    'content-encoding',
    'date',
    'connection',
    'transfer-encoding',
    'keep-alive',
    'vary',
    'cache-control',
  ],
  ...['strict-transport-security', 'x-content-type-options', 'content-security-policy', 'referrer-policy'],
])

const names = ({ headers }: ApiOperation['responses'][string], header: string) =>
  Object.keys(headers).some((name) => name.toLowerCase() === header)

/** Clients must tolerate unknown members; a test of the server must not. */
function closed(document: string): object {
  const isOpen = (schema: Record<string, unknown>) =>
    schema['type'] === 'object' && schema['properties'] !== undefined && !('additionalProperties' in schema)
  return JSON.parse(document, (_key, value: Record<string, unknown> | null) =>
    typeof value === 'object' && value !== null && isOpen(value) ? { ...value, additionalProperties: false } : value,
  ) as object
}

type Content = Readonly<Record<string, unknown>> | undefined

export async function documentChecker(api: TestApi): Promise<DocumentChecker> {
  // Strict mode refuses OpenAPI keywords such as `example`, which are annotations.
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const served = await api.get('/openapi.json')
  if (served.statusCode !== 200) throw new Error(`the document was answered with ${served.statusCode} ${served.body}`)
  ajv.addSchema(closed(served.body), 'document')
  const compiled = new Map<string, ValidateFunction>()

  function faultsAgainst(pointer: string, value: unknown): string[] {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  return {
    faultsOf(reply, operation) {
      const { statusCode: status } = reply
      const documented = operation.responses[status]
      if (!documented) return [`status ${status} is not documented`]
      if (status >= 400) {
        const code = (JSON.parse(textOf(reply)) as { error_code: string }).error_code
        if (!documented.description.includes(`\`${code}\``)) return [`${status} ${code} is not documented`]
        if (errorCodes[code as ErrorCode] !== status) return [`${code} with status ${status}`]
      }
      const unnamed = Object.keys(reply.headers).filter((name) => !transport.has(name) && !names(documented, name))
      if (unnamed.length > 0) return unnamed.map((name) => `header ${name} is not documented`)
      const content: Content = documented.content
      if (!content) return textOf(reply) === '' ? [] : [`status ${status} has a body`]
      const type = String(reply.headers['content-type'] ?? '').split(';')[0] ?? ''
      if (!content[type]) return [`content type ${type} is not documented`]
      const value: unknown = type === 'application/json' ? JSON.parse(textOf(reply)) : textOf(reply)
      return faultsAgainst(pointerOf(operation, 'responses', String(status), 'content', type, 'schema'), value)
    },
    exampleFaultsOf(operation) {
      const { requestBody, responses } = operation
      const places = [
        { content: requestBody?.content, pointer: ['requestBody'] },
        ...Object.entries(responses).map(([status, { content }]) => ({ content, pointer: ['responses', status] })),
      ]
      return places.flatMap(({ content, pointer }) =>
        Object.entries(content ?? {})
          .filter(([, { example }]) => example !== undefined)
          .flatMap(([type, { example }]) =>
            faultsAgainst(pointerOf(operation, ...pointer, 'content', type, 'schema'), example),
          ),
      )
    },
  }
}

/** The body as it was before compression. */
export function textOf({ headers, rawPayload, body }: LightMyRequestResponse): string {
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync }[String(headers['content-encoding'])]
  return unpack ? unpack(rawPayload).toString() : body
}

function pointerOf({ path, method }: ApiOperation, ...rest: string[]): string {
  const parts = ['paths', path, method.toLowerCase(), ...rest]
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}
