/** `npm run docs`: writes the documents generated from the source. Tests fail while they are out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { packages } from '../connectors/salesforce/metadata-package.ts'
import { renderAlerts } from './render-alerts.ts'
import { renderCli } from './render-cli.ts'
import { renderCommandTerms } from './render-command-terms.ts'
import { renderConfiguration } from './render-configuration.ts'
import { renderEnvExample } from './render-env-example.ts'
import { renderErrorCodes } from './render-error-codes.ts'
import { renderErrorPage } from './render-error-page.ts'
import { renderFields } from './render-fields.ts'
import { renderLimits } from './render-limits.ts'
import { renderSalesforcePackage } from './render-salesforce-package.ts'
import { renderStates } from './render-states.ts'

const root = new URL('../', import.meta.url)
const source = (path: string) => readFileSync(new URL(path, root), 'utf8')

const documents: readonly (readonly [string, string])[] = [
  ['docs/errors.md', renderErrorCodes(source('src/errors.ts'))],
  ['src/api/error-page.html', renderErrorPage(source('src/errors.ts'))],
  ['docs/fields.md', renderFields()],
  ['docs/limits.md', renderLimits()],
  ['docs/states.md', renderStates()],
  ['src/cli/command-terms.json', await renderCommandTerms()],
  ['docs/cli.md', await renderCli()],
  ['docs/configuration.md', renderConfiguration(source('src/settings/env.ts'))],
  ['ops/prometheus/alerts.yaml', renderAlerts(source('ops/prometheus/alerts.yaml'))],
  ['.env.example', renderEnvExample(source('src/settings/env.ts'))],
  ...packages.flatMap((each) =>
    [...renderSalesforcePackage(each)].map(
      ([path, text]) => [`connectors/salesforce/${each.folder}/${path}`, text] as const,
    ),
  ),
]
for (const [path, text] of documents) {
  writeFileSync(new URL(path, root), text)
  console.log(`wrote ${path}`)
}
