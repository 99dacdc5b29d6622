/** `npm run client`: writes the client's types. A test fails while they differ from what the document gives. */
import { writeFileSync } from 'node:fs'
import { renderTypes } from '../client/render-types.ts'
import { openApiDocument } from '../src/api/document.ts'

writeFileSync(new URL('../client/api-types.ts', import.meta.url), await renderTypes(await openApiDocument()))
console.log('wrote client/api-types.ts')
