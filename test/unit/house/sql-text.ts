/**
 * How SQL is put together, as a rule over the source: a template that looks like SQL and has something put into it is tagged
 * `sql` (src/db/sql.ts), and nothing is put between its quotes, where a quote of its own would end the literal.
 */
import { type Node, parseSync } from 'oxc-parser'

/** A plural such as `item(s)` calls nothing. */
const words =
  /\b(SELECT|INSERT INTO|DELETE FROM|FROM|WHERE|JOIN|ORDER BY|GROUP BY|LIMIT|CREATE|ALTER|DROP|TRUNCATE|ANALYZE|SET LOCAL|UNION|EXISTS|CASE|WHEN|IS NULL|IS NOT NULL|AND|OR|AS|ANY|ARRAY|LATERAL|VALUES|GRANT|NOT|IN)\b|\b[a-z_]+\((?!s\))|::[a-z]|\$\d/

interface Template {
  readonly type: 'TemplateLiteral'
  readonly start: number
  readonly quasis: readonly { readonly value: { readonly raw: string } }[]
  readonly expressions: readonly Node[]
}

/** @returns a sentence per place of the file that breaks the rule. */
export function looseSql(path: string, source: string): string[] {
  if (!source.includes('${')) return []
  const found: string[] = []
  const at = (start: number) => `${path}:${source.slice(0, start).split('\n').length}`
  const look = (template: Template, isTagged: boolean) => {
    const { quasis, expressions, start } = template
    if (expressions.length === 0) return
    if (!isTagged && words.test(quasis.map(({ value }) => value.raw).join(' '))) {
      found.push(`${at(start)} puts SQL together without the tag of src/db/sql.ts`)
    }
    const before = expressions.map((_, index) =>
      quasis
        .slice(0, index + 1)
        .map(({ value }) => value.raw)
        .join(''),
    )
    const quoted = (text: string) => (withoutComments(text).split("'").length - 1) % 2 === 1
    if (isTagged && before.some(quoted)) found.push(`${at(start)} puts something between quotes; write literal(…)`)
  }
  visit(parseSync(path, source).program, look)
  return found
}

const withoutComments = (text: string): string => text.replace(/--[^\n]*/g, '')

/** What is thrown is a sentence for people. */
function visit(node: unknown, look: (template: Template, isTagged: boolean) => void, isTagged = false): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) visit(each, look)
    return
  }
  const { type } = node as { type?: string }
  if (type === 'NewExpression') return
  if (type === 'TemplateLiteral') look(node as Template, isTagged)
  if (type === 'TaggedTemplateExpression') {
    const { tag, quasi } = node as { tag: { name?: string }; quasi: unknown }
    visit(quasi, look, tag.name === 'sql')
    return
  }
  for (const each of Object.values(node)) visit(each, look)
}
