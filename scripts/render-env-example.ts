/**
 * `.env.example` from the doc comments and defaults of `src/settings/env.ts`: the variables without a member in the
 * configuration file.
 */
import { relative } from 'node:path'
import { EnvSchema } from '../src/settings/env.ts'
import { memberOf } from '../src/settings/file-members.ts'
import { documentedMembers } from './doc-comments.ts'

export function renderEnvExample(source: string): string {
  const comments = new Map(documentedMembers(source, 'export const EnvSchema').map((each) => [each.name, each.comment]))
  const defaults: Readonly<Record<string, unknown>> = EnvSchema.parse({})
  const entries = Object.keys(EnvSchema.shape).flatMap((key) => {
    if (memberOf.has(key)) return []
    const comment = comments.get(key)
    if (!comment) throw new Error(`${key} has no doc comment in src/settings/env.ts`)
    return [`# ${comment}\n${key}=${spelledDefault(key, defaults[key])}\n`]
  })
  return `# The variables that Panji reads, with their defaults; an empty value counts as unset. Settings of the installation
# are in panji.json, see docs/configuration.md.
# Generated from src/settings/env.ts by \`npm run docs\`. To use a copy: set -a; . ./.env; set +a; npm start

${entries.join('\n')}`
}

export function spelledDefault(key: string, value: unknown): string {
  if (value === undefined) return ''
  // The default folder is printed as written, not as it resolves on this machine.
  return key === 'PANJI_DATA_DIR' ? relative(process.cwd(), String(value)) : String(value)
}
