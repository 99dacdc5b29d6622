/** What `panji start` prints when everything runs: where it is, the key, a line to try, what was delivered. */
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'
import type { Runtime } from './runtime.ts'
import type { SampleWorld } from './sample-world.ts'

interface BannerFacts {
  readonly context: CommandContext
  readonly instance: OpenInstance
  readonly runtime: Runtime
  readonly sample: SampleWorld | undefined
  readonly seconds: number
  /** Link that signs in once; undefined where none is made. */
  readonly consoleUrl: string | undefined
}

export function banner({ context, instance, runtime, sample, seconds, consoleUrl }: BannerFacts): string {
  const lines = ['', `Panji is ready after ${seconds.toFixed(1)} s.`, '']
  if (runtime.apiUrl) {
    lines.push(`  API             ${runtime.apiUrl}`, `  Reference page  ${runtime.apiUrl}/docs`)
  }
  if (runtime.probeUrl) lines.push(`  Health          ${runtime.probeUrl}`)
  if (consoleUrl) lines.push(`  Console         ${consoleUrl}`)
  if (runtime.sandboxes) {
    lines.push(
      `  Sandbox CRMs    ${runtime.sandboxes.controlUrl}`,
      `  Sandbox token   ${runtime.sandboxes.controlToken}`,
    )
  }
  if (runtime.payPage) lines.push(`  Pay at          ${runtime.payPage}/<payment.id of an online order>`)
  if (instance.lock) lines.push(`  Data directory  ${context.settings.dataDir}`)
  if (sample) {
    const records = Object.entries(sample.sandbox_records).map(([crm, count]) => `${crm} ${count}`)
    lines.push(
      `  API key         ${sample.api_key}`,
      `  Sample order    ${sample.order_id}; records in the sandbox CRMs: ${records.join(', ')}`,
      '',
      'Exchange the key for tokens:',
      '',
      `curl -s -X POST ${runtime.apiUrl}/api/auth/login -H 'content-type: application/json' -d '{"api_key":"${sample.api_key}"}'`,
      '',
      'Then call with the access_token of the answer as TOKEN:',
      '',
      `  curl -s '${runtime.apiUrl}/api/company/details?cin=${sample.cin}' -H "authorization: Bearer $TOKEN"`,
    )
  } else if (runtime.apiUrl) {
    lines.push('', 'Create an account with `npx panji account create --email you@example.com`.')
  }
  return [...lines, '', 'Ctrl-C stops.'].join('\n')
}
