/** Options of several commands that select rows of the audit log. */
import { isIP } from 'node:net'
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import type { AuditLogFilter } from '../../audit/audit-log-filter.ts'
import { credentialsNamed } from '../../audit/read-audit-log.ts'
import { otherAddresses } from '../../audit/refusals.ts'
import type { Db } from '../../db/db.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { isUuid } from '../../domain/uuid.ts'
import { WrongUsage } from '../wrong-usage.ts'

export interface WhoseOptions {
  readonly credential?: string
  readonly account?: string
  readonly address?: string
}

export function withWhose(command: Command): Command {
  return command
    .option('--credential <prefix>', 'prefix or ID of an API key, name or ID of an operator')
    .option('--account <user_id>', 'or e-mail')
    .option('--address <ip>', 'address of the caller', addressArgument)
}

/** @throws AppError NOT_FOUND for an account or a credential that never existed. */
export async function readWhose(db: Db, { credential, account, address }: WhoseOptions): Promise<AuditLogFilter> {
  return {
    credentials: credential === undefined ? undefined : await credentialsNamed(db, credential),
    // An erased account is only known by its ID.
    accountId: account === undefined || isUuid(account) ? account : await findAccountId(db, account),
    address,
  }
}

function addressArgument(text: string): string {
  // Refusals are counted by the /64 of an IPv6 address, and beyond some addresses together.
  if (isIP(text.replace(/\/64$/, '')) > 0 || text === otherAddresses) return text.toLowerCase()
  throw new WrongUsage(`--address: "${text}" is no IP address`)
}

export function dayArgument(text: string): string {
  if (!isIsoDate(text)) throw new WrongUsage(`"${text}" is not a date YYYY-MM-DD`)
  return text
}
