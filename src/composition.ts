/**
 * The composition root: reads the environment once, names the connectors, and hands everything down.
 * Nothing else reads the environment or knows which CRMs there are.
 */
import type { CommandContext, Keyboard } from './cli/settings.ts'
import type { Env } from './settings/env.ts'
import type { LogSink } from './telemetry/log.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Opened once a question is asked. */
  readonly stdin: () => Keyboard
  /** Aborts when the process must end. */
  readonly signal: AbortSignal
}

/** What a command needs is loaded once its arguments are valid, so that help and usage errors do not wait for it. */
export async function commandContext(
  { env: variables, stdout, stderr, stdin, signal }: Surroundings,
  json: boolean,
): Promise<CommandContext> {
  const { createOutput } = await import('./cli/output.ts')
  const { createScreen } = await import('./cli/screen.ts')
  const { readConfigFile } = await import('./settings/config-file.ts')
  const { readEnv } = await import('./settings/env.ts')
  const { createLogger, isGrave, prettyLines } = await import('./telemetry/log.ts')
  const { connectorsOf } = await import('../connectors/index.ts')
  const { addressOfUrl } = await import('./notify/operators/alert-address.ts')
  const env = readEnv(variables, readConfigFile(variables))
  const screen = createScreen(stdout, stderr)
  const hasColour = env.NO_COLOR === undefined
  const shown = stderr.isTTY && !json ? await prettyLines(screen, hasColour) : screen
  let kept: LogSink | undefined
  let isQuiet = false
  return {
    settings: {
      port: env.PORT,
      host: env.HOST,
      drainSeconds: env.PANJI_DRAIN_SECONDS,
      probe: { port: env.PANJI_PROBE_PORT, host: env.PANJI_PROBE_HOST },
      connections: {
        api: env.PANJI_API_CONNECTIONS,
        expensiveReads: env.PANJI_EXPENSIVE_READS,
        jobs: env.PANJI_JOB_CONNECTIONS,
      },
      databaseUrl: env.DATABASE_URL,
      readDatabaseUrl: env.PANJI_READ_DATABASE_URL,
      dataDir: env.PANJI_DATA_DIR,
      backups: { dir: env.PANJI_BACKUP_DIR, kept: env.PANJI_BACKUPS_KEPT },
      sample: env.PANJI_SAMPLE,
      sandboxPort: env.PANJI_SANDBOX_PORT,
      secretKey: env.PANJI_SECRET_KEY,
      nextSecretKey: env.PANJI_SECRET_KEY_NEXT,
      operatorToken: env.PANJI_OPERATOR_TOKEN,
      operators: env.PANJI_OPERATORS,
      metricsToken: env.PANJI_METRICS_TOKEN,
      tracesTo: env.OTEL_EXPORTER_OTLP_ENDPOINT,
      corsOrigins: env.PANJI_CORS_ORIGINS,
      leadSource: env.PANJI_LEAD_SOURCE,
      onlineLabel: env.PANJI_ONLINE_LABEL,
      razorpay: razorpayOf(env),
      smtp:
        env.PANJI_SMTP_URL && env.PANJI_SMTP_FROM ? { url: env.PANJI_SMTP_URL, from: env.PANJI_SMTP_FROM } : undefined,
      oidc: oidcOf(env),
      alertChannels: [
        ...env.PANJI_ALERT_URL.map(addressOfUrl),
        ...env.PANJI_ALERT_MAIL.map((address) => ({ kind: 'mail' as const, address })),
      ],
      connect: { publicUrl: env.PANJI_PUBLIC_URL, apps: env.PANJI_CRM_APPS },
      seller: sellerOf(env),
      disputeHold: env.PANJI_DISPUTE_HOLD,
      allowPrivateSources: env.PANJI_ALLOW_PRIVATE_SOURCES,
      fetchBounds: {
        fileBytesMax: env.PANJI_INPUT_BYTES_MAX,
        unpackedBytesMax: env.PANJI_UNPACKED_BYTES_MAX,
        silenceMsMax: env.PANJI_FETCH_SILENCE_SECONDS * 1000,
        fetchMsMax: env.PANJI_FETCH_SECONDS_MAX * 1000,
        settleMs: env.PANJI_DROP_SETTLE_SECONDS * 1000,
      },
      trustedProxies: env.PANJI_TRUSTED_PROXIES,
      connectionsMax: env.PANJI_CONNECTIONS_MAX,
      securityContact: env.PANJI_SECURITY_CONTACT,
    },
    connectors: connectorsOf(env.PANJI_CSV_DELIVERY_DIR),
    startSandboxes: async (options) => {
      const { startSandboxes } = await import('../sandboxes/server.ts')
      const { paymentSandbox, sandboxes } = await import('../sandboxes/index.ts')
      return startSandboxes([...sandboxes(), paymentSandbox()], options)
    },
    startSandboxProcess: async (options) => {
      const { startSandboxProcess } = await import('../sandboxes/process.ts')
      return startSandboxProcess(options)
    },
    log: createLogger(env.LOG_LEVEL, {
      write(text) {
        if (!isQuiet || isGrave(text)) shown.write(text)
        kept?.write(text)
      },
    }),
    keepLog: (sink, { quietly }) => {
      kept = sink
      isQuiet = quietly && !variables['LOG_LEVEL']
    },
    out: createOutput({ json, stdout, stderr, screen, colour: stdout.isTTY && hasColour }),
    terminal: { input: stdin, output: stderr },
    signal,
  }
}

/** `readEnv` has checked that all of them are set or none. */
function oidcOf(env: Env): CommandContext['settings']['oidc'] {
  const { PANJI_OIDC_ISSUER: issuer, PANJI_OIDC_CLIENT_ID: clientId, PANJI_OIDC_CLIENT_SECRET: clientSecret } = env
  const publicUrl = env.PANJI_PUBLIC_URL
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined
  return { issuer, clientId, clientSecret, name: env.PANJI_OIDC_NAME, publicUrl }
}

function razorpayOf(env: Env): CommandContext['settings']['razorpay'] {
  const { PANJI_RAZORPAY_KEY_ID: keyId, PANJI_RAZORPAY_KEY_SECRET: keySecret, PANJI_CREDIT_PAISE: creditPaise } = env
  const { PANJI_RAZORPAY_WEBHOOK_SECRET: webhookSecret, PANJI_RAZORPAY_WEBHOOK_SECRET_OLD: oldSecret } = env
  if (!keyId || !keySecret || !webhookSecret || !creditPaise) return undefined
  const webhookSecrets = [webhookSecret, ...(oldSecret ? [oldSecret] : [])]
  const { PANJI_DISPUTE_HOLD: disputeHold, PANJI_RAZORPAY_URL: baseUrl } = env
  return { keyId, keySecret, webhookSecrets, creditPaise, disputeHold, seller: sellerOf(env), baseUrl }
}

function sellerOf(env: Env): CommandContext['settings']['seller'] {
  const { PANJI_SELLER_NAME: name, PANJI_SELLER_ADDRESS: address, PANJI_SELLER_GSTIN: gstin } = env
  return name && address && gstin ? { name, address, gstin, sac: env.PANJI_SELLER_SAC } : undefined
}
