/** A name that ends in `Of` says what comes of its parameters: it asks nobody. What reads, writes or waits begins with a verb. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const declared =
  /(?:function\s+|const\s+|#)(?<name>\w+Of)\b\s*(?:=\s*(?:async\s*)?)?(?:<[^>()]*>)?\((?<parameters>(?:[^()]|\([^()]*\))*)\)\s*(?<result>:[^{=]*)?/g
const asksSomebody = (parameters: string, result: string) =>
  /:\s*(Db|Tx|Queryable|Connection)\b/.test(parameters) || result.includes('Promise<')
const beginsWithVerb = /^(read|find|list|count|create|keep|hold|wait|revoke|filter)[A-Z]/

function hidden(text: string): string[] {
  return [...text.matchAll(declared)]
    .filter(({ groups }) => asksSomebody(groups?.['parameters'] ?? '', groups?.['result'] ?? ''))
    .map(({ groups }) => groups?.['name'] ?? '')
    .filter((name) => !beginsWithVerb.test(name))
}

test('a function whose name only says of what it is neither asks the database nor waits', () => {
  const files = globSync(['src/**/*.ts', 'connectors/**/*.ts', '{sample,sandboxes}/**/*.ts', 'jobs/*.ts'], {
    cwd: root,
  })
  expect(files.length).toBeGreaterThan(400)
  const found = files.flatMap((file) =>
    hidden(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

test.each([
  'async function leadsOf(db: Db, id: string): Promise<Lead[]> {',
  'export const leadsOf = async (tx: Queryable) => {',
  'const sizeOf = (path: string): Promise<number> => stat(path)',
  '  async #leadsOf(tx: Tx): Promise<void> {',
])('finds %s', (line) => {
  expect(hidden(line)).toHaveLength(1)
})
