/** docs/configuration.md: every variable with its default and its meaning, from `src/settings/env.ts`. */
import { EnvSchema } from '../src/settings/env.ts'
import { documentedMembers } from './doc-comments.ts'
import { spelledDefault } from './render-env-example.ts'

export function renderConfiguration(source: string): string {
  const comments = new Map(documentedMembers(source, 'export const EnvSchema').map((each) => [each.name, each.comment]))
  const defaults: Readonly<Record<string, unknown>> = EnvSchema.parse({})
  const entries = Object.keys(EnvSchema.shape).map((name) => {
    const value = spelledDefault(name, defaults[name])
    return `## ${name}\n\n${comments.get(name) ?? ''}\n\n${value === '' ? 'Unset by default.' : `Default: \`${value}\`.`}\n`
  })
  return `<!-- Made by \`npm run docs\` from src/settings/env.ts; changes made here are lost. -->

# Configuration

Panji reads these variables of the environment, all of which have a default or may be unset; an empty value counts as unset. All
faults are reported at once when a process starts. \`.env.example\` has them in a form to copy. Generated secrets lie in the data
directory, readable by its owner alone.

${entries.join('\n')}`
}
