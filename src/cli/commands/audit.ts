/** `panji audit …`: the audit log: list, verify, export, and report a breach. */
import { Option } from 'commander'
import { type ChainHead, sealAuditLog } from '../../audit/chain.ts'
import { exportAuditLog } from '../../audit/export-audit-log.ts'
import { readHeadFile } from '../../audit/head-file.ts'
import { auditLogState, readAuditLog } from '../../audit/read-audit-log.ts'
import { verifyAuditLog } from '../../audit/verify-audit-log.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { declareBreach } from './audit-breach.ts'
import { dayArgument, readWhose, type WhoseOptions, withWhose } from './audit-filter.ts'
import type { Declare } from './command.ts'
import { requireOrder } from './day-order.ts'
import { shownLimit } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'

interface ListOptions extends WhoseOptions {
  readonly kind?: 'act' | 'reading' | 'refusal'
  readonly actor?: string
  readonly action?: string
  readonly subject?: string
  readonly from?: string
  readonly to?: string
  readonly limit: number
}

export const declareAudit: Declare = (program, run) => {
  const auditLog = program.command('audit').description('the audit log: who did or read what, when, from where and why')

  withWhose(auditLog.command('list').description('list rows of the audit log, newest first'))
    .addOption(new Option('--kind <kind>').choices(['act', 'reading', 'refusal']))
    .option('--actor <who>', 'operator (all of them), operator:<name>, system or account:<id>')
    .option('--action <act>', 'verb and object, "suspend account"')
    .option('--subject <object>', 'what was acted on, or a record that was shown')
    .option('--from <YYYY-MM-DD>', 'first day, in India', dayArgument)
    .option('--to <YYYY-MM-DD>', 'last day, in India', dayArgument)
    .option('--limit <n>', 'rows', shownLimit, 50)
    .action((options: ListOptions) => {
      requireOrder({ first: options.from, last: options.to })
      return run((context) => list(context, options))
    })

  auditLog
    .command('verify')
    .description('verify that it is complete; reports the first broken row and exits with 1')
    .option('--head <place:hash>', 'head from the log or the metrics that the chain must contain', headsArgument, [])
    .action((options: { head: readonly ChainHead[] }) => run((context) => verify(context, options.head)))

  auditLog
    .command('export')
    .description('write rows with their positions and hashes into a new file, one JSON object per line')
    .argument('<file>')
    .option('--from <YYYY-MM-DD>', 'first day, in India', dayArgument)
    .option('--to <YYYY-MM-DD>', 'last day, in India', dayArgument)
    .action((file: string, options: { from?: string; to?: string }) => {
      requireOrder({ first: options.from, last: options.to })
      return onInstance(run, 'audit export', async ({ db }, context) => {
        await sealAuditLog(db, true)
        context.out.answer({ file, ...(await exportAuditLog(db, file, options)) }, fields)
      })
    })

  declareBreach(auditLog, run)
}

async function list(context: CommandContext, { limit, ...options }: ListOptions): Promise<void> {
  await withInstance(context, 'audit list', async ({ db }) => {
    await sealAuditLog(db)
    const { credential: _credential, account: _account, ...rest } = options
    const rows = await readAuditLog(db, { ...rest, ...(await readWhose(db, options)) }, { limit })
    context.out.answer(rows.map(auditLogState), (states) =>
      table(
        ['place', 'at', 'who', 'did', 'what', 'operation', 'from'],
        states.map((row) => [row.place, row.at, row.actor, row.action, row.subject, row.operation, row.address]),
      ),
    )
  })
}

async function verify(context: CommandContext, given: readonly ChainHead[]): Promise<void> {
  await withInstance(context, 'audit verify', async ({ db }) => {
    const kept = readHeadFile(context.settings.dataDir)
    const verdict = await verifyAuditLog(db, [...(kept ? [kept] : []), ...given])
    const { broken, head, ...rest } = verdict
    const shown = () =>
      fields({ ...rest, head: `${head.seq}:${head.hash}`, ...(broken ? { broken: broken.message } : {}) })
    if (!broken) return context.out.answer(verdict, shown)
    const message = `the audit log is broken at position ${broken.place}: ${broken.message}`
    failWith(context.out, verdict, shown, { code: 'CHECK_FAILED', message })
  })
}

function headsArgument(text: string, before: readonly ChainHead[]): readonly ChainHead[] {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text)
  if (match?.[2] === undefined) throw new WrongUsage(`--head: "${text}" is not a position and a hash such as 12:5f0a…`)
  return [...before, { seq: Number(match[1]), hash: match[2] }]
}
