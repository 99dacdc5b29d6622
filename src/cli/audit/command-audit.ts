/**
 * Every command that opens the database leaves its row in the audit log: an act, or a reading of personal data. What it is
 * follows from the operations that it calls; the lists below name the commands that call none. Acts that write their rows
 * themselves, in their own transactions, get no other; of the rest the command's words, its arguments and its options are
 * written, without what may be a person's or a secret.
 */
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { type Acting, actAs, actingNow } from '../../audit/acting.ts'
import { audit } from '../../audit/audit.ts'
import type { Audited } from '../../audit/audited.ts'
import { type DataClass, dataClasses } from '../../audit/data-classes.ts'
import type { Queryable } from '../../db/db.ts'
import { bareAddress, isAddress } from '../../domain/bare-address.ts'

/** Commands that show records of persons, by what they show. */
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

/** Commands that change nothing and show no person, or run for as long as the machine does. */
const nothing: readonly string[] = [
  ...['start', 'sandbox', 'doctor', 'migrate', 'sql', 'sample generate', 'sample next-day', 'jobs dead'],
  ...['audit verify', 'status', 'logs', 'completion', 'scope list', 'ledger check', 'receipt verify'],
]

/** Commands that change something, and those that carry everything away. */
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

/** Of a command that calls no operation; one that nobody declared is an act. @param path its words, `account key create`. */
export const commandDeclaration = (path: string): CommandDeclaration => declared.get(path) ?? 'act'
export const declaredCommands = (): string[] => [...declared.keys()]

export interface Invoked {
  readonly path: string
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** `account key create` */
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

/** What a command is follows from the operations that it calls: an act, where one of them is. */
export function noteCalled({ audit: declared }: { readonly audit: Audited }): void {
  const acting = actingNow()
  if (!acting) return
  const before = called.get(acting) ?? 'nothing'
  const now = typeof declared === 'object' ? declared.reads : declared
  if (before === 'nothing' || now === 'act') called.set(acting, now)
}

/** Runs the command so that whatever it writes into the audit log says which command it was, and whose. */
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
  const told = Object.entries(options).filter(([name, value]) => !unwritten.has(name) && value !== undefined)
  return Object.fromEntries(told.map(([name, value]) => [name, shownOption(name, value)]))
}

/** How it was called, not what it did. */
const unwritten: ReadonlySet<string> = new Set(['json', 'yes'])
/** Names and settings are somebody's. */
const untold: ReadonlySet<string> = new Set(['email', 'username', 'name', 'settings', 'mobile'])

function shownOption(name: string, value: unknown): unknown {
  if (untold.has(name)) return '…'
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? value.map((each) => shown(String(each))) : shown(String(value))
}

function shown(text: string): string {
  if (isAddress(text)) return bareAddress(text)
  // An e-mail names a person, and a mobile reaches one.
  return text.includes('@') || /^\+?\d{10,14}$/.test(text) ? '…' : text.slice(0, 200)
}

function machineUser(): string {
  try {
    return `user:${userInfo().username}`
  } catch {
    // A user of the machine that has a number and no name, as in a container.
    return `user:${process.getuid?.() ?? 'unknown'}`
  }
}
