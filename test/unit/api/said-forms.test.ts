/** What form a text must have is said in words wherever a request is refused for it: “must be a text” of a text helps nobody. */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { operations } from '../../../src/api/operations/index.ts'
import { bare, type SchemaNode, schemaNode } from '../../../src/api/request/member-rule.ts'
import { requestValidator } from '../../../src/api/request/request-faults.ts'

const odd = '~~'

/** The paths of all members that are texts of a form of their own. */
function formed(node: SchemaNode, root: SchemaNode, path: readonly string[] = []): string[][] {
  const own = bare(node, root)
  if ([own, ...(own.anyOf ?? [])].some(({ type, pattern }) => type === 'string' && pattern !== undefined))
    return [[...path]]
  return Object.entries(own.properties ?? {}).flatMap(([name, member]) => formed(member, root, [...path, name]))
}

const nested = (path: readonly string[]): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), odd)

function refusalOf(schema: z.ZodType, httpPart: string, path: readonly string[]): string {
  const answer = requestValidator({ schema, httpPart, method: 'POST', url: '/' })(nested(path))
  const error = typeof answer === 'object' && 'error' in answer ? answer.error : undefined
  return error instanceof Error ? error.message : ''
}

test('every text of a form is refused with that form in words', () => {
  const mute: string[] = []
  let asked = 0
  for (const { id, body, query } of operations) {
    for (const [schema, part] of [[body, 'body'] as const, [query, 'querystring'] as const]) {
      if (!schema) continue
      const root = schemaNode(schema)
      for (const path of formed(root, root)) {
        asked += 1
        if (refusalOf(schema, part, path).includes(`must be a text; "${odd}" came`))
          mute.push(`${id} ${path.join('.')}`)
      }
    }
  }
  expect(mute).toEqual([])
  expect(asked).toBeGreaterThan(50)
})
