/**
 * Printed by `panji start` when everything runs: URLs, a call to try, what was delivered, and last the links to start
 * with.
 */
import type { OpenInstance } from '../instance/open-instance.ts'
import { logFileIn } from '../kept-log.ts'
import type { CommandContext } from '../settings.ts'
import type { Runtime } from './runtime.ts'
import type { SampleWorld } from './sample-world.ts'

interface BannerFacts {
  readonly context: CommandContext
  readonly instance: OpenInstance
  readonly runtime: Runtime
  readonly sample: SampleWorld | undefined
  readonly seconds: number
  /** Sign-in link that works once; undefined where none is created. */
  readonly consoleUrl: string | undefined
}

export function banner({ context, instance, runtime, sample, seconds, consoleUrl }: BannerFacts): string {
  const { apiUrl, probeUrl, sandboxes, payPage } = runtime
  const lines = ['', `Panji is ready after ${seconds.toFixed(1)} s.`, '']
  if (apiUrl) lines.push(`  API             ${apiUrl}`, `  Reference page  ${apiUrl}/docs`)
  if (probeUrl) lines.push(`  Health          ${probeUrl}`)
  if (sandboxes) {
    lines.push(`  Sandbox CRMs    ${sandboxes.controlUrl}`, `  Sandbox token   ${sandboxes.controlToken}`)
  }
  if (payPage) lines.push(`  Pay at          ${payPage}/<payment.id of an online order>`)
  if (instance.lock) {
    const { dataDir } = context.settings
    lines.push(`  Data directory  ${dataDir}`, `  Log             ${logFileIn(dataDir)}; npx panji logs --follow`)
  }
  if (sample) {
    const records = Object.entries(sample.sandbox_records).map(([crm, count]) => `${crm} ${count}`)
    lines.push(
      `  Sample order    ${sample.order_id}; records in the sandbox CRMs: ${records.join(', ')}`,
      '',
      'Exchange the key for tokens:',
      '',
      `curl -s -X POST '${apiUrl}/api/auth/login' -H 'content-type: application/json' -d '{"api_key":"${sample.api_key}"}'`,
      '',
      'Then call with its access_token as TOKEN:',
      '',
      `  curl -s '${apiUrl}/api/company/details?cin=${sample.cin}' -H "authorization: Bearer $TOKEN"`,
      '',
      'Get started:',
      '',
      `  App             ${apiUrl}/app, and sign in with the API key; a tour of five stops begins there`,
      `  API key         ${sample.api_key}`,
    )
  } else if (apiUrl) {
    lines.push('', 'Create an account with `npx panji account create --email you@example.com`.', '')
  }
  if (consoleUrl) lines.push(`  Console         ${consoleUrl}`, '                  another link: npx panji open')
  return [...lines, '', 'Ctrl-C stops.'].join('\n')
}
