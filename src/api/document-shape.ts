/** The parts of an OpenAPI document that are read and completed after the routes have generated it. */
export interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { required?: boolean; content: Record<string, { schema?: Alternatives }> }
  readonly responses?: Record<string, Response>
}
interface Parameter {
  readonly name: string
  example?: unknown
  readonly schema?: { readonly default?: unknown; readonly const?: unknown; readonly enum?: readonly unknown[] }
}
interface Response {
  description: string
  content?: Readonly<Record<string, { schema?: object; example?: unknown }>>
  headers?: Record<string, object>
}
export interface Alternatives {
  readonly anyOf?: readonly { readonly type?: string }[]
}

export interface OpenApiDocument {
  readonly webhooks?: Readonly<Record<string, object>>
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, object>>; readonly headers?: object }
}
