import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderRepeatable } from '../../../client/render-repeatable.ts'
import { renderTypes } from '../../../client/render-types.ts'
import { openApiDocument } from '../../../src/api/document.ts'

const root = new URL('../../../', import.meta.url)
const source = (path: string) => readFileSync(new URL(path, root), 'utf8')

test("the client's types are what the OpenAPI document gives (else: npm run client)", async () => {
  expect(source('client/api-types.ts')).toBe(await renderTypes(await openApiDocument()))
})

test('the POSTs that the client sends again are those that the OpenAPI document lets it (else: npm run client)', async () => {
  expect(source('client/repeatable.ts')).toBe(renderRepeatable(await openApiDocument()))
})

test('the example of docs/client.md is client/example.ts, which is type-checked', () => {
  const [, example] = /```ts\n(.*?)```/s.exec(source('docs/client.md')) ?? []
  expect(example).toBe(source('client/example.ts').replace("'./index.ts'", "'panji-client'"))
})
