/**
 * Salesforce's own command line, signed in to an org of the sandbox. It is no dependency, since it brings 725 packages of 296 MB: where
 * PANJI_SF_CLI names it, or `sf` is on the path, its tests run; elsewhere they say why they do not. Seen with 2.150.6.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { accessTokenOf } from '../salesforce-org.ts'

const command = process.env['PANJI_SF_CLI'] ?? 'sf'
/** The command runs under the Node that it finds first, and needs 22. */
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
export const cliIsThere =
  spawnSync(command, ['--version'], { timeout: 60_000, env: { ...process.env, PATH: path } }).status === 0
export const cliReason = cliIsThere ? '' : ' (skipped: PANJI_SF_CLI names no sf, and there is none on the path)'

export interface CliAnswer {
  readonly status: number
  readonly result: never
  readonly message?: string
}

export interface SalesforceCli {
  /** Folder of the commands, and all that they keep. */
  readonly home: string
  readonly accessToken: string
  readonly sandbox: ReturnType<typeof createSalesforceSandbox>
  /** @returns what the command answers with `--json`. */
  sf(...words: readonly string[]): Promise<CliAnswer>
  sfIn(folder: string, ...words: readonly string[]): Promise<CliAnswer>
}

/** Names the org `box`. */
export function useSalesforceCli(): () => SalesforceCli {
  let server: RunningSandboxes | undefined
  let cli: SalesforceCli | undefined
  beforeAll(async () => {
    const sandbox = createSalesforceSandbox()
    server = await startSandboxes([sandbox], { port: 0 })
    const settings = server.settings('salesforce')
    const home = mkdtempSync(join(tmpdir(), 'panji-sf-'))
    const accessToken = await accessTokenOf(settings)
    const sfIn = (folder: string, ...words: readonly string[]) => run(folder, { home, accessToken }, words)
    cli = { home, accessToken, sandbox, sfIn, sf: (...words) => sfIn(home, ...words) }
    const { origin } = new URL(String(settings['login_url']))
    const login = await cli.sf(
      'org',
      'login',
      'access-token',
      '--instance-url',
      origin,
      '--no-prompt',
      '--alias',
      'box',
    )
    expect(login).toMatchObject({ status: 0, result: { orgId: '00D000000000001EAA' } })
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    if (cli) rmSync(cli.home, { recursive: true, force: true })
  })
  return () => {
    if (!cli) throw new Error('the command line is not signed in yet')
    return cli
  }
}

async function run(
  cwd: string,
  { home, accessToken }: Pick<SalesforceCli, 'home' | 'accessToken'>,
  words: readonly string[],
): Promise<CliAnswer> {
  const child = spawn(command, [...words, '--json'], {
    env: {
      PATH: path,
      HOME: home,
      SF_ACCESS_TOKEN: accessToken,
      SF_DISABLE_TELEMETRY: 'true',
      SF_AUTOUPDATE_DISABLE: 'true',
      SF_SKIP_NEW_VERSION_CHECK: 'true',
      SF_USE_GENERIC_UNIX_KEYCHAIN: 'true',
      SF_DISABLE_LOG_FILE: 'true',
    },
    cwd,
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(text)
}
