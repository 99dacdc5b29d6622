import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forbiddenImports } from './import-rules.ts'

const root = new URL('../../../', import.meta.url)
const productFiles = ['client', 'config', 'connectors', 'jobs', 'sample', 'sandboxes', 'src', 'web'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)

test('every import of the product points in an allowed direction', () => {
  expect(productFiles.length).toBeGreaterThan(10)
  const violations = productFiles.flatMap((path) => forbiddenImports(path, readFileSync(new URL(path, root), 'utf8')))
  expect(violations).toEqual([])
})

test.each([
  ['src/domain/x.ts', `import { openDb } from '../db/db.ts'`, 'src/db/db.ts'],
  ['src/domain/x.ts', `import { plans } from '../../config/plans.ts'`, 'config/plans.ts'],
  ['src/ingest/x.ts', `import type { A } from '../deliver/push.ts'`, 'src/deliver/push.ts'],
  ['src/orders/x.ts', `export { a } from '../ingest/run.ts'`, 'src/ingest/run.ts'],
  ['src/db/x.ts', `const a = await import('../api/server.ts')`, 'src/api/server.ts'],
  ['src/api/x.ts', `import { readEnv } from '../settings/env.ts'`, 'src/settings/env.ts'],
  [
    'src/deliver/x.ts',
    `import { salesforce } from '../../connectors/salesforce/connector.ts'`,
    'connectors/salesforce/connector.ts',
  ],
  ['client/x.ts', `import type { ErrorCode } from '../src/errors.ts'`, 'src/errors.ts'],
  ['web/src/app/x.tsx', `import { known } from '../console/operator.ts'`, 'web/src/console/operator.ts'],
  ['web/src/wire/x.ts', `import { panji } from '../../../client/index.ts'`, 'client/index.ts'],
  ['connectors/hubspot/x.ts', `import { openDb } from '../../src/db/db.ts'`, 'src/db/db.ts'],
  ['connectors/hubspot/x.ts', `import { kit } from '../../sandboxes/kit.ts'`, 'sandboxes/kit.ts'],
  ['sandboxes/hubspot/x.ts', `import { rows } from '../salesforce/rows.ts'`, 'sandboxes/salesforce/rows.ts'],
  ['sandboxes/kit.ts', `import { AppError } from '../src/errors.ts'`, 'src/errors.ts'],
  ['sample/x.ts', `import { openDb } from '../src/db/db.ts'`, 'src/db/db.ts'],
])('a planted violation in %s is caught', (path, source, target) => {
  expect(forbiddenImports(path, source)).toEqual([expect.stringContaining(target)])
})

test('src names no CRM', () => {
  const named = productFiles
    .filter((path) => path.startsWith('src/'))
    .filter((path) => /salesforce|hubspot/i.test(readFileSync(new URL(path, root), 'utf8')))
  expect(named).toEqual([])
})
