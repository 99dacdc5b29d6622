/** The client's types from the OpenAPI document. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** @returns the text of `api-types.ts`. */
export async function renderTypes(document: object): Promise<string> {
  const types = astToString(await openapiTS(document as OpenAPI3, { alphabetize: true, defaultNonNullable: false }))
  return `/** The API's paths and bodies, made from its OpenAPI document by \`npm run client\`; do not edit. */\n${types}`
}
