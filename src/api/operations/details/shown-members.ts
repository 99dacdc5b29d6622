/**
 * Members of a company's details that the caller's plan shows: an operator may sell its e-mail address in leads only.
 */
import { detailsShown } from '../../../../config/plans.ts'
import { type QuotaAccount, quotaPlanOf } from '../../../limits/quota-account.ts'
import type { CompanyDetails } from '../../../registry/details/company.ts'
import type { RecordTrace } from '../../../registry/history/lineage.ts'
import type { HistoryEntry } from '../../../registry/history/read-history.ts'
import type { ApiSettings } from '../../route-context.ts'

/** The member's name in details, history and trace. */
const emailName = 'email' satisfies keyof CompanyDetails

export interface ShownMembers {
  readonly showsCompanyEmail: boolean
  readonly details: (details: CompanyDetails) => CompanyDetails
  readonly history: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[]
  readonly trace: (trace: RecordTrace) => RecordTrace
}

const all: ShownMembers = {
  showsCompanyEmail: true,
  details: (details) => details,
  history: (entries) => entries,
  trace: (trace) => trace,
}

const withoutEmail: ShownMembers = {
  showsCompanyEmail: false,
  details: (details) => ({ ...details, [emailName]: null }),
  history: (entries) =>
    entries.map((entry) =>
      entry.entity === 'company'
        ? { ...entry, changes: entry.changes.filter(({ field }) => field !== emailName) }
        : entry,
    ),
  trace: (trace) => ({ ...trace, fields: trace.fields.filter(({ field }) => field !== emailName) }),
}

export const shownMembers = (
  account: Omit<QuotaAccount, 'accountId'>,
  { detailsShown: shown = detailsShown }: Pick<ApiSettings, 'detailsShown'>,
): ShownMembers => (shown[quotaPlanOf(account)].companyEmail ? all : withoutEmail)
