/** `npm run docs`: writes the documents that are made from the source. Tests fail while they differ from it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { renderCommandTerms } from './render-command-terms.ts'
import { renderEnvExample } from './render-env-example.ts'
import { renderErrorCodes } from './render-error-codes.ts'
import { renderErrorPage } from './render-error-page.ts'
import { renderFields } from './render-fields.ts'

const root = new URL('../', import.meta.url)
const source = (path: string) => readFileSync(new URL(path, root), 'utf8')

const documents: readonly (readonly [string, string])[] = [
  ['docs/errors.md', renderErrorCodes(source('src/errors.ts'))],
  ['src/api/error-page.html', renderErrorPage(source('src/errors.ts'))],
  ['docs/fields.md', renderFields()],
  ['src/cli/command-terms.json', await renderCommandTerms()],
  ['.env.example', renderEnvExample(source('src/settings/env.ts'))],
]
for (const [path, text] of documents) {
  writeFileSync(new URL(path, root), text)
  console.log(`wrote ${path}`)
}
