/** The operations of the served OpenAPI document, for tests that iterate over them. */
import { z } from 'zod'
import type { TestApi } from './api.ts'

export type Schema = Readonly<Record<string, unknown>>

const Content = z.record(
  z.string(),
  z.object({
    schema: z.record(z.string(), z.unknown()),
    example: z.unknown().optional(),
    examples: z.unknown().optional(),
  }),
)
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['query', 'path', 'header']),
        description: z.string().optional(),
        example: z.unknown().optional(),
        required: z.boolean().optional(),
        schema: z.record(z.string(), z.unknown()),
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      content: Content.optional(),
      headers: z.record(z.string(), z.object({ $ref: z.string() })).default({}),
    }),
  ),
  'x-read-only': z.boolean().default(false),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
})
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

export type Guard = 'public' | 'account' | 'operator'

export interface ApiOperation extends z.infer<typeof Operation> {
  /** `GET /api/orders/{id}` */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly guard: Guard
}

export async function operationsOf(api: TestApi): Promise<ApiOperation[]> {
  return operationsIn((await api.get('/openapi.json')).json())
}

export function operationsIn(document: object): ApiOperation[] {
  const { paths } = Document.parse(document)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => {
      const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).parse(verb.toUpperCase())
      return { ...operation, name: `${method} ${path}`, method, path, guard: guardOf(operation.security) }
    }),
  )
}

function guardOf(security: readonly Schema[] | undefined): Guard {
  if (security === undefined) return 'account'
  return security.some((each) => 'operatorToken' in each) ? 'operator' : 'public'
}
