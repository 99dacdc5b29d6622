/** Renders the list of POSTs that may be sent again after their response was lost, from the OpenAPI document. */

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedPost>>>>
}
interface DocumentedPost {
  readonly parameters?: readonly { readonly name: string }[]
  readonly 'x-read-only'?: boolean
}

/** @returns the text of `repeatable.ts`. */
export function renderRepeatable(document: object): string {
  const posts = Object.entries((document as Documented).paths).flatMap(([path, { post }]) =>
    post ? [{ path, post }] : [],
  )
  const repeatable = posts.filter(
    ({ post }) => post['x-read-only'] || post.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  )
  return `/**
 * POSTs that only read, or under whose Idempotency-Key the API gives the first answer again; made from its OpenAPI document
 * by \`npm run client\`, do not edit.
 */
export const repeatable: ReadonlySet<string> = new Set([
${repeatable.map(({ path }) => `  '${path}',\n`).join('')}])
`
}
