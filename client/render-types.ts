/** Renders the client's types from the OpenAPI document. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

type Answers = Record<string, object>
interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Answers }>>>>
  readonly components: object
}

/**
 * Most operations have the same error responses, which the types should contain only once. @returns an equivalent
 * document.
 */
function shareRefusals(document: Documented): Documented {
  const { paths, components } = structuredClone(document)
  const names = new Map<string, string>()
  const responses: Answers = {}
  for (const { responses: answers = {} } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(answers)) {
      if (Number(status) < 400) continue
      const text = `${status} ${JSON.stringify(answer)}`
      const name = names.get(text) ?? `Refused${status}.${names.size}`
      names.set(text, name)
      responses[name] = answer
      answers[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return { ...document, paths, components: { ...components, responses } }
}

/** @returns the text of `api-types.ts`. */
export async function renderTypes(document: object): Promise<string> {
  const shared = shareRefusals(document as Documented)
  const types = astToString(
    await openapiTS(shared as object as OpenAPI3, { alphabetize: true, defaultNonNullable: false }),
  )
  return `/** The API's paths and bodies, made from its OpenAPI document by \`npm run client\`; do not edit. */\n${types}`
}
