import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Followed, followRecipe } from '../../support/recipe.ts'
import { runNode } from '../../support/run-node.ts'

const answers = mkdtempSync(join(tmpdir(), 'panji-recipe-answers-'))
let followed: Followed
let seen: { testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[] }

beforeAll(async () => {
  followed = followRecipe('Add a connector', ['test/conformance', 'test/unit/house', 'web'])
  const { tree } = followed
  const include = ['test/conformance/shared-folder.test.ts', 'test/unit/house/import-directions.test.ts']
  writeFileSync(
    join(tree, 'recipe.config.ts'),
    `export default { test: { include: ${JSON.stringify(include)}, testTimeout: 120_000 } }`,
  )
  const output = join(answers, 'answers.json')
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs')
  const run = [
    'run',
    '--root',
    tree,
    '--config',
    join(tree, 'recipe.config.ts'),
    '--reporter=json',
    `--outputFile=${output}`,
  ]
  const alone = { VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '', VITEST_MODE: '' }
  await runNode(vitest, run, alone, tree).ended
  seen = JSON.parse(readFileSync(output, 'utf8'))
})
afterAll(() => {
  followed.remove()
  rmSync(answers, { recursive: true, force: true })
})

const resultsOf = (file: string) => seen.testResults.find(({ name }) => name.endsWith(file))?.assertionResults ?? []

test('a connector that was made by the recipe keeps every promise of the suite', () => {
  const promises = resultsOf('shared-folder.test.ts')
  expect(promises.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([])
  expect(promises.filter(({ status }) => status === 'passed').length).toBeGreaterThan(20)
})

test('its folder lies within the import rules', () => {
  const rules = resultsOf('import-directions.test.ts')
  expect(rules.length).toBeGreaterThan(5)
  expect(rules.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName)).toEqual([])
})
