/** The import directions of the house, as data, and a checker that reads a file's imports with a real parser. */
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A part of the house and the parts it may import. The part itself is always allowed, and `config` to all but domain. */
const domain = ['src/domain', 'src/errors.ts']
const ground = [
  ...domain,
  'src/db',
  'src/limits',
  'src/queue',
  'src/notify',
  'src/secrets',
  'src/suppression',
  'src/telemetry',
  'src/audit',
]
const flows = ['src/ingest', 'src/registry', 'src/access', 'src/orders', 'src/leads', 'src/deliver']

/** What every connector shares, and what every sandbox shares. A workspace imports nothing of the product but what it names here. */
const connectorGround = [
  'connectors/access-grant.ts',
  'connectors/adoption.ts',
  'connectors/answers.ts',
  'connectors/cached-answer.ts',
  'connectors/batch-size.ts',
  'connectors/bulk-way.ts',
  'connectors/call-gate.ts',
  'connectors/call-result.ts',
  'connectors/changed-fields.ts',
  'connectors/contract.ts',
  'connectors/crm-address.ts',
  'connectors/crm-calls.ts',
  'connectors/crm-network.ts',
  'connectors/field-ownership.ts',
  'connectors/filled-lead.ts',
  'connectors/identity-field.ts',
  'connectors/joins.ts',
  'connectors/known-records.ts',
  'connectors/left-out.ts',
  'connectors/listed-value.ts',
  'connectors/match-rules.ts',
  'connectors/managed-columns.ts',
  'connectors/managed-value.ts',
  'connectors/new-records.ts',
  'connectors/object-reports.ts',
  'connectors/planned-action.ts',
  'connectors/push-engine.ts',
  'connectors/push-port.ts',
  'connectors/renew-settings.ts',
  'connectors/overrides.ts',
  'connectors/owner-list.ts',
  'connectors/deferrals.ts',
  'connectors/row-cells.ts',
  'connectors/settings-file.ts',
  'connectors/settings-form.ts',
  'connectors/shorten.ts',
  'connectors/slices.ts',
  'connectors/web-connect.ts',
  ...domain,
]
const sandboxGround = ['sandboxes/consent.ts', 'sandboxes/contract.ts', 'sandboxes/kit.ts', 'sandboxes/records.ts']

/** What the pages of the console take from the client: types, and the error of a refusal. */
const pagesGround = ['client/api-types.ts', 'client/api-error.ts']

export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/errors.ts': [],
  'src/db': domain,
  'src/secrets': [...domain, 'src/db'],
  'src/suppression': [...domain, 'src/db', 'src/queue', 'src/secrets'],
  'src/telemetry': domain,
  'src/settings': domain,
  'src/audit': [...domain, 'src/db'],
  'src/limits': [...domain, 'src/db'],
  'src/queue': [...domain, 'src/db', 'src/telemetry'],
  // Below the flows, which announce what happens in them. What customers name as an address is called under the guard of CRMs.
  'src/notify': [...domain, 'src/db', 'src/limits', 'src/secrets', 'connectors/crm-address.ts'],
  'src/ingest': ground,
  'src/registry': ground,
  'src/access': ground,
  'src/orders': ground,
  'src/leads': ground,
  // A mapping is held against the CRM's lists by the rule that fills them.
  'src/deliver': [
    ...ground,
    'connectors/bulk-way.ts',
    'connectors/call-gate.ts',
    'connectors/contract.ts',
    'connectors/crm-address.ts',
    'connectors/filled-lead.ts',
    'connectors/listed-value.ts',
    'connectors/renew-settings.ts',
  ],
  // A query of the registers that buys, and what it buys is delivered: it joins the flows.
  'src/standing': [...ground, ...flows],
  'src/backup': [...domain, 'src/db'],
  // What the whole instance is in: reads what all flows hold, and is asked by the edges.
  'src/health': [...ground, ...flows],
  'src/api': [...ground, ...flows, 'src/standing', 'src/health', 'connectors/contract.ts'],
  jobs: [...ground, ...flows, 'src/standing', 'src/health', 'connectors/contract.ts'],
  'src/cli': [
    ...ground,
    ...flows,
    'src/standing',
    'src/health',
    'src/backup',
    'sample',
    'src/api',
    'jobs/index.ts',
    'connectors/contract.ts',
  ],
  'connectors/contract.ts': [
    'connectors/renew-settings.ts',
    'connectors/bulk-way.ts',
    'connectors/call-gate.ts',
    'connectors/filled-lead.ts',
    'connectors/settings-form.ts',
    ...domain,
  ],
  'connectors/adoption.ts': ['connectors/contract.ts', 'connectors/email-domain.ts', 'connectors/match-rules.ts'],
  'connectors/match-rules.ts': ['connectors/email-domain.ts'],
  'connectors/email-domain.ts': [],
  'connectors/filled-lead.ts': [],
  'connectors/access-grant.ts': ['connectors/crm-network.ts'],
  'connectors/answers.ts': ['src/errors.ts'],
  'connectors/cached-answer.ts': [],
  'connectors/batch-size.ts': [],
  'connectors/bulk-way.ts': [],
  'connectors/call-gate.ts': [],
  'connectors/joins.ts': [
    'connectors/contract.ts',
    'connectors/filled-lead.ts',
    'connectors/listed-value.ts',
    ...domain,
  ],
  'connectors/field-ownership.ts': ['connectors/contract.ts'],
  'connectors/overrides.ts': ['connectors/contract.ts'],
  'connectors/deferrals.ts': ['connectors/contract.ts', ...domain],
  'connectors/settings-file.ts': [],
  'connectors/settings-form.ts': [],
  'connectors/call-result.ts': ['src/errors.ts'],
  'connectors/known-records.ts': ['connectors/contract.ts'],
  'connectors/renew-settings.ts': [],
  'connectors/left-out.ts': ['connectors/contract.ts', 'connectors/field-ownership.ts', 'src/errors.ts'],
  'connectors/listed-value.ts': ['connectors/contract.ts'],
  'connectors/owner-list.ts': ['connectors/contract.ts'],
  'connectors/managed-columns.ts': ['connectors/managed-value.ts'],
  'connectors/managed-value.ts': [...domain, 'connectors/shorten.ts'],
  'connectors/new-records.ts': ['connectors/contract.ts'],
  'connectors/object-reports.ts': ['connectors/contract.ts', 'src/domain'],
  'connectors/push-engine.ts': [
    'connectors/changed-fields.ts',
    'connectors/contract.ts',
    'connectors/deferrals.ts',
    'connectors/field-ownership.ts',
    'connectors/known-records.ts',
    'connectors/new-records.ts',
    'connectors/planned-action.ts',
    'connectors/push-port.ts',
    ...domain,
  ],
  'connectors/push-port.ts': [
    'connectors/changed-fields.ts',
    'connectors/contract.ts',
    'connectors/field-ownership.ts',
    'connectors/known-records.ts',
    ...domain,
  ],
  'connectors/changed-fields.ts': ['connectors/contract.ts', 'connectors/deferrals.ts', ...domain],
  'connectors/identity-field.ts': ['connectors/contract.ts'],
  'connectors/planned-action.ts': [
    'connectors/contract.ts',
    'connectors/field-ownership.ts',
    'connectors/known-records.ts',
    'connectors/push-port.ts',
  ],
  'connectors/row-cells.ts': ['connectors/contract.ts'],
  'connectors/shorten.ts': [],
  'connectors/slices.ts': [],
  'connectors/web-connect.ts': [
    'connectors/access-grant.ts',
    'connectors/answers.ts',
    'connectors/contract.ts',
    'connectors/crm-address.ts',
    'connectors/crm-network.ts',
    'connectors/settings-file.ts',
    ...domain,
  ],
  'connectors/crm-address.ts': ['sandboxes/pass.ts', 'src/domain'],
  'connectors/crm-calls.ts': [
    'connectors/call-result.ts',
    'connectors/contract.ts',
    'connectors/crm-network.ts',
    ...domain,
  ],
  'connectors/crm-network.ts': ['connectors/crm-address.ts', 'sandboxes/pass.ts', ...domain],
  'connectors/index.ts': ['connectors'],
  'connectors/salesforce': connectorGround,
  'connectors/hubspot': connectorGround,
  'connectors/zoho': connectorGround,
  'connectors/example-csv': connectorGround,
  // The sandboxes stand alone: nothing of the connectors or of `src`, so that their process loads neither.
  'sandboxes/contract.ts': [],
  'sandboxes/records.ts': [],
  'sandboxes/pass.ts': [],
  'sandboxes/page.ts': [],
  'sandboxes/kit.ts': ['sandboxes/contract.ts'],
  'sandboxes/pages': sandboxGround,
  'sandboxes/consent.ts': ['sandboxes/kit.ts', 'sandboxes/pages'],
  'sandboxes/control.ts': sandboxGround,
  'sandboxes/server.ts': [
    ...sandboxGround,
    'sandboxes/control.ts',
    'sandboxes/page.ts',
    'sandboxes/pages',
    'sandboxes/pass.ts',
  ],
  'sandboxes/salesforce': sandboxGround,
  'sandboxes/hubspot': sandboxGround,
  'sandboxes/zoho': sandboxGround,
  'sandboxes/razorpay': sandboxGround,
  'sandboxes/index.ts': [
    'sandboxes/contract.ts',
    'sandboxes/salesforce',
    'sandboxes/hubspot',
    'sandboxes/zoho',
    'sandboxes/razorpay',
  ],
  'sandboxes/child.ts': ['sandboxes/index.ts', 'sandboxes/server.ts'],
  'sandboxes/process.ts': ['sandboxes/server.ts', 'sandboxes/pages'],
  sample: domain,
  client: [],
  config: domain,
  migrations: [],
  scripts: ['src', 'config', 'jobs', 'connectors', 'sandboxes', 'sample'],
  // The pages know the API by its document alone.
  'web/src/wire': pagesGround,
  'web/src/look': [...pagesGround, 'web/src/wire', 'web/src/style'],
  'web/src/console': [...pagesGround, 'web/src/wire', 'web/src/look'],
  'web/src/app': [...pagesGround, 'web/src/wire', 'web/src/look'],
  'web/vite.config.ts': [],
}

/** `src/composition.ts` composes everything for `src/main.ts`; tests, benches and scripts stand outside. */
const unbounded = ['src/main.ts', 'src/composition.ts', 'test', 'bench', 'scripts', 'vitest.config.ts']
const within = (path: string, part: string) => path === part || path.startsWith(`${part}/`)
const partOf = (path: string) =>
  Object.keys(allowedImports)
    .filter((part) => within(path, part))
    .sort((a, b) => b.length - a.length)[0]

/** @returns a sentence per forbidden import of the file; `path` is relative to the repository. */
export function forbiddenImports(path: string, source: string): string[] {
  if (unbounded.some((part) => within(path, part))) return []
  const part = partOf(path)
  if (part === undefined) return [`${path} lies in no part of the house; name its part in import-rules.ts`]
  return importsOf(path, source)
    .filter((target) => !isAllowed(part, target))
    .map((target) => `${path} imports ${target}, which ${part} may not`)
}

function isAllowed(part: string, target: string): boolean {
  if (target === 'src/settings/env.ts') return false
  // config takes types of domain; an import back would close a circle.
  if (within(target, part) || (within(target, 'config') && part !== 'src/domain')) return true
  return (allowedImports[part] ?? []).some((allowed) => within(target, allowed))
}

const importsBySource = new Map<string, string[]>()

/** Relative imports, exports-from and import() of a file, resolved against the repository's root. Each file is read once. */
export function importsOf(path: string, source: string): string[] {
  const key = `${path}\n${source}`
  const known = importsBySource.get(key) ?? readImports(path, source)
  importsBySource.set(key, known)
  return known
}

function readImports(path: string, source: string): string[] {
  const { module } = parseSync(path, source)
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.flatMap((each) => each.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map((entry) =>
      source.slice(entry.moduleRequest.start, entry.moduleRequest.end).replace(/['"`]/g, ''),
    ),
  ]
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier))
}
