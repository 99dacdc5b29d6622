/**
 * Every command that opens the database writes a row into the audit log: an act, or a read of personal data. The kind
 * follows from the operations that the command calls; the lists below cover commands that call none. Acts that write
 * their own rows in their own transactions get no second one; for the rest the row holds the command, its arguments and
 * its options, without anything that may be personal or secret.
 */
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { type Acting, actAs, actingNow } from '../../audit/acting.ts'
import { audit } from '../../audit/audit.ts'
import type { Audited } from '../../audit/audited.ts'
import { type DataClass, dataClasses } from '../../audit/data-classes.ts'
import type { Queryable } from '../../db/db.ts'
import { bareAddress, isAddress } from '../../domain/bare-address.ts'

/** Commands that show personal records, by class of data. */
const readings: Readonly<Partial<Record<DataClass, readonly string[]>>> = {
  leads: ['deliveries list', 'deliveries rejects', 'deliveries show', 'receipt show', 'webhook events'],
  rejects: ['rejects'],
  accounts: [
    ...['account list', 'account find', 'account show', 'account key list'],
    ...[
      'order show',
      'order find',
      'order disputes',
      'payments show',
      'ledger show',
      'ledger export',
      'ledger month',
      'suppress list',
    ],
    ...['subscription list', 'payments evidence'],
    ...['standing-order list', 'standing-order show', 'standing-order preview', 'standing-order runs'],
  ],
  operators: ['alert list'],
  destinations: ['destination list', 'destination show', 'webhook list'],
  audit: ['audit list', 'audit export', 'audit breach'],
}

/** Commands that change nothing and show no personal data, or that run indefinitely. */
const nothing: readonly string[] = [
  ...['start', 'sandbox', 'doctor', 'migrate', 'sql', 'sample generate', 'sample next-day', 'jobs dead'],
  ...['audit verify', 'status', 'logs', 'completion', 'scope list', 'ledger check', 'receipt verify'],
]

/** Commands that change something, and those that export everything. */
const acts: readonly string[] = [
  ...['standing-order create', 'standing-order pause', 'standing-order resume', 'standing-order end'],
  ...['standing-order approve', 'standing-order skip'],
  ...['subscription give', 'subscription cancel', 'subscription refund', 'payments refund'],
  ...['destination map', 'destination test-row', 'destination connect'],
  ...['ingest', 'cancel', 'scope lower', 'recount', 'history prune', 'sample remove'],
  ...['account create', 'account key create', 'account key revoke', 'account grant'],
  'account credits',
  'operator totp',
  ...[
    'payments reconcile',
    'payments settle',
    'ledger close-month',
    'order refund',
    'order accept',
    'order reject',
    'secrets rotate',
  ],
  ...['schedule add', 'schedule run'],
  ...['jobs redrive', 'jobs discard', 'destination add', 'destination test', 'destination update'],
  ...['destination pause', 'destination resume', 'destination remove', 'deliveries fix', 'deliveries retry', 'push'],
  ...[
    'webhook add',
    'webhook remove',
    'webhook replay',
    'webhook test',
    'webhook listen',
    'alert test',
    'suppress add',
    'suppress remove',
    'backup',
    'restore',
    'open',
  ],
]

export type CommandDeclaration = DataClass | 'act' | 'nothing'

const declared: ReadonlyMap<string, CommandDeclaration> = new Map([
  ...dataClasses.flatMap((each) => (readings[each] ?? []).map((path) => [path, each] as const)),
  ...nothing.map((path) => [path, 'nothing'] as const),
  ...acts.map((path) => [path, 'act'] as const),
])

/**
 * For a command that calls no operation; an undeclared one counts as an act. @param path the command, `account key
 * create`.
 */
export const commandDeclaration = (path: string): CommandDeclaration => declared.get(path) ?? 'act'
export const declaredCommands = (): string[] => [...declared.keys()]

export interface Invoked {
  readonly path: string
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** Also true for a command whose kind follows from the operations that it calls. */
export const mayReadPersonalData = (invoked: Invoked | undefined): boolean =>
  invoked !== undefined && !['act', 'nothing'].includes(declared.get(invoked.path) ?? '')

/** `account key create` for the command of that path. */
export function wordsOf(command: Command): string {
  const words: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) words.unshift(at.name())
  return words.join(' ')
}

export const invokedBy = (command: Command): Invoked => ({
  path: wordsOf(command),
  args: command.args,
  options: command.opts(),
})

const invocations = new WeakMap<Acting, Invoked>()
const called = new WeakMap<Acting, CommandDeclaration>()

/** The kind of a command follows from the operations that it calls: an act if one of them is. */
export function noteCalled({ audit: declared }: { readonly audit: Audited }): void {
  const acting = actingNow()
  if (!acting) return
  const before = called.get(acting) ?? 'nothing'
  const now = typeof declared === 'object' ? declared.reads : declared
  if (before === 'nothing' || now === 'act') called.set(acting, now)
}

/** Runs the command so that its audit rows name the command and its caller. */
export function actAsCommand<T>(invoked: Invoked | undefined, work: () => T): T {
  if (!invoked || commandDeclaration(invoked.path) === 'nothing') return work()
  const acting: Acting = { credential: machineUser(), operation: `panji ${invoked.path}`, address: null, written: 0 }
  invocations.set(acting, invoked)
  return actAs(acting, work)
}

/** Called once the command has done its work, while its database is open. */
export async function auditCommand(db: Queryable): Promise<void> {
  const acting = actingNow()
  const invoked = acting && invocations.get(acting)
  if (!acting || !invoked || acting.written > 0) return
  const declared = called.get(acting) ?? commandDeclaration(invoked.path)
  if (declared === 'nothing') return
  const isReading = declared !== 'act'
  await audit(db, {
    actor: 'operator',
    action: isReading ? `read ${declared}` : invoked.path,
    subject: invoked.args.map(shown).join(' ') || '-',
    detail: optionsOf(invoked.options),
    ...(isReading ? { dataClass: declared } : {}),
  })
}

function optionsOf(options: Invoked['options']): Record<string, unknown> {
  const recorded = Object.entries(options).filter(([name, value]) => !unwritten.has(name) && value !== undefined)
  return Object.fromEntries(recorded.map(([name, value]) => [name, shownOption(name, value)]))
}

/** They say how the command was called, not what it did. */
const unwritten: ReadonlySet<string> = new Set(['json', 'yes'])
/** Names and settings are personal. */
const redacted: ReadonlySet<string> = new Set(['email', 'username', 'name', 'settings', 'mobile'])

function shownOption(name: string, value: unknown): unknown {
  if (redacted.has(name)) return '…'
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? value.map((each) => shown(String(each))) : shown(String(value))
}

function shown(text: string): string {
  if (isAddress(text)) return bareAddress(text)
  // An e-mail address or a mobile number identifies a person.
  return text.includes('@') || /^\+?\d{10,14}$/.test(text) ? '…' : text.slice(0, 200)
}

function machineUser(): string {
  try {
    return `user:${userInfo().username}`
  } catch {
    // A user may have a number and no name, as in a container.
    return `user:${process.getuid?.() ?? 'unknown'}`
  }
}
