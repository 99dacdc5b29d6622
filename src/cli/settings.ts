/** What commands know of the environment and of the connectors; `src/composition.ts` fills it in. */

import type { FetchBounds } from '../../config/input-bounds.ts'
import type { Seller } from '../../config/seller.ts'
import type { Connector } from '../../connectors/contract.ts'
import type { OidcSettings } from '../access/oidc/oidc-settings.ts'
import type { ConnectSettings } from '../deliver/connect/connect-parts.ts'
import type { Secret } from '../domain/secret.ts'
import type { SmtpSettings } from '../notify/mails/smtp.ts'
import type { AlertAddress } from '../notify/operators/alert-address.ts'
import type { DisputeHold } from '../orders/payments/processor.ts'
import type { RazorpaySettings } from '../orders/payments/razorpay.ts'
import type { Logger, LogSink } from '../telemetry/log.ts'
import type { Invoked } from './audit/command-audit.ts'
import type { Output } from './output.ts'

/** Database connections of this process, by what they are for. */
export interface ConnectionSizes {
  readonly api: number
  readonly expensiveReads: number
  readonly jobs: number
}

export interface CliSettings {
  readonly connections: ConnectionSizes
  readonly port: number
  readonly host: string
  /** Before an API closes its port; undefined: as its role asks. */
  readonly drainSeconds: number | undefined
  /** Of a worker's and a scheduler's health and metrics; no port: none. */
  readonly probe: { readonly port: number | undefined; readonly host: string }
  /** Undefined: the embedded database. */
  readonly databaseUrl: Secret | undefined
  /** Standbys that are read. */
  readonly readDatabaseUrl: Secret | undefined
  readonly dataDir: string
  /** Of the schedule: no folder, no backups. */
  readonly backups: { readonly dir: string | undefined; readonly kept: number }
  readonly sample: 'auto' | 'off'
  readonly sandboxPort: number
  readonly secretKey: Secret | undefined
  /** The key that a rotation leads to, readable before and after it. */
  readonly nextSecretKey: Secret | undefined
  readonly operatorToken: Secret | undefined
  /** Operators beside the one of `operatorToken`. */
  readonly operators: readonly { readonly name: string; readonly token: Secret }[]
  readonly metricsToken: Secret | undefined
  /** A collector of OpenTelemetry. */
  readonly tracesTo: string | undefined
  readonly corsOrigins: readonly string[]
  readonly leadSource: string
  readonly onlineLabel: string
  /** Undefined: no online payment. */
  readonly razorpay: RazorpaySettings | undefined
  readonly smtp: SmtpSettings | undefined
  /** Undefined: people sign in at no provider. */
  readonly oidc: OidcSettings | undefined
  /** Where operators are notified. */
  readonly alertChannels: readonly AlertAddress[]
  /** For signing in at the pages of CRMs. */
  readonly connect: ConnectSettings
  /** Who sells, as invoices name it. */
  readonly seller: Seller | undefined
  readonly disputeHold: DisputeHold
  readonly allowPrivateSources: boolean
  readonly fetchBounds: Partial<FetchBounds>
  readonly trustedProxies: readonly string[]
  readonly connectionsMax: number
  readonly securityContact: string | undefined
}

export interface SandboxServer {
  /** Names of the CRMs in a box. */
  readonly crms: readonly string[]
  /** Name of the payment processor in a box. */
  readonly processor: string | undefined
  settings(name: string): Readonly<Record<string, unknown>>
  readonly controlUrl: string
  /** @returns the address of their pages, with a pass that lets one browser in, once and within a minute. */
  pagesUrl(): string
  /** @returns the same for the page of one record and, with `all`, the others; undefined for an address of none of them. */
  recordUrl(address: string, all: boolean): string | undefined
  /** Bearer of every call to `controlUrl`. */
  readonly controlToken: string
  close(): Promise<void>
}

export interface SandboxServerOptions {
  readonly port: number
  /** Keeps the records across restarts. */
  readonly snapshotFile?: string
}

export type Keyboard = NodeJS.ReadableStream & { readonly isTTY?: boolean }

export interface CommandContext {
  readonly settings: CliSettings
  readonly connectors: readonly Connector[]
  /** Starts the CRMs in a box within this process. */
  readonly startSandboxes: (options: SandboxServerOptions) => Promise<SandboxServer>
  /** The same in a process of their own, which ends with this one. */
  readonly startSandboxProcess: (options: SandboxServerOptions) => Promise<SandboxServer>
  readonly log: Logger
  /** From now on log lines are also kept there; quietly: and shown only where they tell a failure, unless LOG_LEVEL asks for them. */
  readonly keepLog: (sink: LogSink, how: { readonly quietly: boolean }) => void
  readonly out: Output
  /** Where a person is asked, if both are of a terminal. */
  readonly terminal: { readonly input: () => Keyboard; readonly output: NodeJS.WriteStream }
  /** The command itself: its words, arguments and options. */
  readonly invoked?: Invoked
  /** Aborts at Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
}
