/**
 * docs/configuration.md: every variable with default and meaning, and its member of the configuration file, from
 * `src/settings/env.ts`.
 */
import { EnvSchema } from '../src/settings/env.ts'
import { memberOf } from '../src/settings/file-members.ts'
import { documentedMembers } from './doc-comments.ts'
import { spelledDefault } from './render-env-example.ts'

export function renderConfiguration(source: string): string {
  const comments = new Map(documentedMembers(source, 'export const EnvSchema').map((each) => [each.name, each.comment]))
  const defaults: Readonly<Record<string, unknown>> = EnvSchema.parse({})
  const entry = (title: string, name: string, also: string) => {
    const value = spelledDefault(name, defaults[name])
    const fallback = value === '' ? 'Unset by default.' : `Default: \`${value}\`.`
    return `### ${title}\n\n${comments.get(name) ?? ''}\n\n${fallback}${also}\n`
  }
  const names = Object.keys(EnvSchema.shape)
  const variables = names.filter((name) => !memberOf.has(name)).map((name) => entry(name, name, ''))
  const members = [...memberOf].map(([name, member]) => entry(member, name, ` As a variable: \`${name}\`.`))
  return `<!-- Made by \`npm run docs\` from src/settings/env.ts; changes made here are lost. -->

# Configuration

Panji needs no configuration. What it is told stands in variables of the environment, for what differs from process to process and
for secrets, and in one file, for what describes the installation. Each has a default or may be unset. All faults of both are
reported at once when a process starts. Generated secrets lie in the data directory, readable by its owner alone.

## Variables

An empty value counts as unset. \`.env.example\` has them in a form to copy.

${variables.join('\n')}
## The file

\`panji.json\` in the data directory, or where \`PANJI_CONFIG\` says, is read by every process and every command, so that a command at
a terminal works by the same settings as the service. It is one object of sections; an unknown member is refused. Each member has a
variable, too, which decides where both are set. Secrets never stand in it. A backup does not hold it.

\`\`\`json
{
  "api": { "public_url": "https://panji.example.in", "trusted_proxies": ["127.0.0.1"] },
  "seller": { "name": "Asha Data LLP", "address": "Margao, Goa", "gstin": "27AAPFU0939F1ZV" },
  "backup": { "dir": "/var/backups/panji", "kept": 14 }
}
\`\`\`

${members.join('\n')}`
}
