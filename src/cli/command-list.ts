/**
 * Every command of the program by its first words, in the order of the help, and where it is declared. What a command needs
 * is loaded once it is named: help, the version and a mistyped word are answered from `command-terms.json`, which
 * `npm run docs` writes from the declarations.
 */
import type { Declare } from './commands/command.ts'

export const commandList: readonly (readonly [words: readonly string[], load: () => Promise<Declare>])[] = [
  [['start'], async () => (await import('./commands/start.ts')).declareStart],
  [['status'], async () => (await import('./commands/status.ts')).declareStatus],
  [['logs'], async () => (await import('./commands/logs.ts')).declareLogs],
  [['open'], async () => (await import('./commands/open.ts')).declareOpen],
  [['migrate'], async () => (await import('./commands/migrate.ts')).declareMigrate],
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
  [['account'], async () => (await import('./commands/account.ts')).declareAccount],
  [['ledger'], async () => (await import('./commands/ledger.ts')).declareLedger],
  [['payments'], async () => (await import('./commands/payments.ts')).declarePayments],
  [['order'], async () => (await import('./commands/order.ts')).declareOrder],
  [['subscription'], async () => (await import('./commands/subscription.ts')).declareSubscription],
  [['operator'], async () => (await import('./commands/operator.ts')).declareOperator],
  [['secrets'], async () => (await import('./commands/secrets.ts')).declareSecrets],
  [['schedules', 'schedule'], async () => (await import('./commands/schedules.ts')).declareSchedules],
  [['jobs'], async () => (await import('./commands/jobs.ts')).declareJobs],
  [['destination'], async () => (await import('./commands/destination.ts')).declareDestination],
  [['deliveries'], async () => (await import('./commands/deliveries.ts')).declareDeliveries],
  [['receipt'], async () => (await import('./commands/receipt.ts')).declareReceipt],
  [['webhook'], async () => (await import('./commands/webhook.ts')).declareWebhook],
  [['push'], async () => (await import('./commands/push.ts')).declarePush],
  [['backup'], async () => (await import('./commands/backup.ts')).declareBackup],
  [['restore'], async () => (await import('./commands/restore.ts')).declareRestore],
  [['sample'], async () => (await import('./commands/sample.ts')).declareSample],
  [['sql'], async () => (await import('./commands/sql.ts')).declareSql],
  [['suppress'], async () => (await import('./commands/suppress.ts')).declareSuppress],
  [['sandbox'], async () => (await import('./commands/sandbox.ts')).declareSandbox],
  [['audit'], async () => (await import('./commands/audit.ts')).declareAudit],
  [['doctor'], async () => (await import('./commands/doctor.ts')).declareDoctor],
  [['completion'], async () => (await import('./commands/completion.ts')).declareCompletion],
]
