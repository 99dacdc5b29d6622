/** `docs/errors.md` from the doc comments of `src/errors.ts`: the first sentence is the meaning, the rest the remedy. */
import { errorCodes } from '../src/errors.ts'
import { documentedMembers } from './doc-comments.ts'

export interface ErrorDescription {
  readonly code: string
  readonly httpStatus: number
  readonly meaning: string
  readonly remedy: string
}

/** @throws when a code has no comment. */
export function describeErrorCodes(source: string): ErrorDescription[] {
  const comments = new Map(
    documentedMembers(source, 'export const errorCodes').map((each) => [each.name, each.comment]),
  )
  return Object.entries(errorCodes).map(([code, httpStatus]) => {
    const comment = comments.get(code)
    if (!comment) throw new Error(`${code} has no doc comment in src/errors.ts`)
    const [meaning = '', ...rest] = comment.split(/(?<=\.) /)
    return { code, httpStatus, meaning, remedy: rest.join(' ') }
  })
}

export function renderErrorCodes(source: string): string {
  const sections = describeErrorCodes(source)
    .sort((a, b) => a.httpStatus - b.httpStatus || (a.code < b.code ? -1 : 1))
    .map(({ code, httpStatus, meaning, remedy }) => {
      const lines = [`## ${code}`, '', `- HTTP status: ${httpStatus}`, `- Meaning: ${meaning}`]
      return [...lines, ...(remedy ? [`- Remedy: ${remedy}`] : []), ''].join('\n')
    })
  return `# Error codes

Generated from the doc comments of \`src/errors.ts\` by \`npm run docs\`; do not edit.

Every error body of the API has \`detail\` (a sentence), \`error_code\` (from this list), \`request_id\` and \`doc_url\` (the
code's section in the server's own copy of this list, \`/docs/errors\`). Some have further members, such as \`dataset\`,
\`position\` or \`suggestion\`. With \`--json\`, a command that fails prints
\`{"error": {"code", "message"}}\` with the same codes and exits with 1. Codes that only commands or start-up use show the
status that the API would return.

${sections.join('\n')}`
}
