/**
 * Every command of the program by its first word, in the groups and the order of the help, with the file that declares
 * it. A command's code is loaded only when it is named: help, the version and a mistyped command are answered from
 * `command-terms.json`, which `npm run docs` generates from the declarations.
 */
import type { Declare } from './commands/command.ts'

type Listed = readonly [words: readonly string[], load: () => Promise<Declare>]

export const commandGroups: readonly { readonly heading: string; readonly commands: readonly Listed[] }[] = [
  {
    heading: 'Run:',
    commands: [
      [['start'], async () => (await import('./commands/start.ts')).declareStart],
      [['status'], async () => (await import('./commands/status.ts')).declareStatus],
      [['logs'], async () => (await import('./commands/logs.ts')).declareLogs],
      [['open'], async () => (await import('./commands/open.ts')).declareOpen],
      [['migrate'], async () => (await import('./commands/migrate.ts')).declareMigrate],
      [['backup'], async () => (await import('./commands/backup.ts')).declareBackup],
      [['restore'], async () => (await import('./commands/restore.ts')).declareRestore],
      [['doctor'], async () => (await import('./commands/doctor.ts')).declareDoctor],
      [['alert'], async () => (await import('./commands/alert.ts')).declareAlert],
      [['completion'], async () => (await import('./commands/completion.ts')).declareCompletion],
    ],
  },
  {
    heading: 'Registers:',
    commands: [
      [['ingest'], async () => (await import('./commands/ingest.ts')).declareIngest],
      [['runs'], async () => (await import('./commands/runs.ts')).declareRuns],
      [['rejects'], async () => (await import('./commands/rejects.ts')).declareRejects],
      [['approve', 'discard'], async () => (await import('./commands/approve.ts')).declareApproval],
      [['quality'], async () => (await import('./commands/quality.ts')).declareQuality],
      [['cancel'], async () => (await import('./commands/cancel.ts')).declareCancel],
      [['preview'], async () => (await import('./commands/preview.ts')).declarePreview],
      [['undo'], async () => (await import('./commands/undo.ts')).declareUndo],
      [['scope'], async () => (await import('./commands/scope.ts')).declareScope],
      [['recount'], async () => (await import('./commands/recount.ts')).declareRecount],
      [['history'], async () => (await import('./commands/history.ts')).declareHistory],
      [['sql'], async () => (await import('./commands/sql.ts')).declareSql],
      [['schedules', 'schedule'], async () => (await import('./commands/schedules.ts')).declareSchedules],
      [['jobs'], async () => (await import('./commands/jobs.ts')).declareJobs],
    ],
  },
  {
    heading: 'Accounts and money:',
    commands: [
      [['account'], async () => (await import('./commands/account.ts')).declareAccount],
      [['order'], async () => (await import('./commands/order.ts')).declareOrder],
      [['subscription'], async () => (await import('./commands/subscription.ts')).declareSubscription],
      [['standing-order'], async () => (await import('./commands/standing-order.ts')).declareStandingOrder],
      [['payments'], async () => (await import('./commands/payments.ts')).declarePayments],
      [['invoices'], async () => (await import('./commands/invoices.ts')).declareInvoices],
      [['ledger'], async () => (await import('./commands/ledger.ts')).declareLedger],
      [['suppress'], async () => (await import('./commands/suppress.ts')).declareSuppress],
    ],
  },
  {
    heading: 'Delivery:',
    commands: [
      [['destination'], async () => (await import('./commands/destination.ts')).declareDestination],
      [['push'], async () => (await import('./commands/push.ts')).declarePush],
      [['deliveries'], async () => (await import('./commands/deliveries.ts')).declareDeliveries],
      [['receipt'], async () => (await import('./commands/receipt.ts')).declareReceipt],
      [['webhook'], async () => (await import('./commands/webhook.ts')).declareWebhook],
    ],
  },
  {
    heading: 'Security:',
    commands: [
      [['operator'], async () => (await import('./commands/operator.ts')).declareOperator],
      [['secrets'], async () => (await import('./commands/secrets.ts')).declareSecrets],
      [['audit'], async () => (await import('./commands/audit.ts')).declareAudit],
    ],
  },
  {
    heading: 'Try it out:',
    commands: [
      [['sample'], async () => (await import('./commands/sample.ts')).declareSample],
      [['sandbox'], async () => (await import('./commands/sandbox.ts')).declareSandbox],
    ],
  },
]

export const commandList: readonly Listed[] = commandGroups.flatMap(({ commands }) => commands)
