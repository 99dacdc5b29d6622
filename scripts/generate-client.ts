/** `npm run client`: writes the client's types from the OpenAPI document. A test fails while they are out of date. */
import { writeFileSync } from 'node:fs'
import { renderRepeatable } from '../client/render-repeatable.ts'
import { renderTypes } from '../client/render-types.ts'
import { openApiDocument } from '../src/api/document.ts'

const document = await openApiDocument()
const texts = { 'api-types.ts': await renderTypes(document), 'repeatable.ts': renderRepeatable(document) }
for (const [name, text] of Object.entries(texts)) {
  writeFileSync(new URL(`../client/${name}`, import.meta.url), text)
  console.log(`wrote client/${name}`)
}
