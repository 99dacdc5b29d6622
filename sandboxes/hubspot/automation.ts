/**
 * Writes by the API, and the account's automation if "Create and associate companies with contacts" is on: a contact
 * creates a company for its e-mail domain and is associated with it.
 */
import { lifecycleStages, type SandboxState, type StoredRecord, store } from './state.ts'

/** Free-mail domains, which belong to no company. */
const freeMail = new Set(['gmail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'rediffmail.com'])

/** Like `store`, with the automation. */
export function storeWithCompany(
  state: SandboxState,
  object: string,
  existing: StoredRecord | undefined,
  values: Readonly<Record<string, string>>,
): StoredRecord {
  const record = store(state, object, existing, goesBack(existing, values) ? withoutStage(values) : values)
  const domain = values['email']?.toLowerCase().split('@')[1]
  if (!state.makesCompanies || object !== 'contacts' || domain === undefined || freeMail.has(domain)) return record
  const [known] = state.records.find('companies', 'domain', domain)
  const company = known ?? store(state, 'companies', undefined, { domain, name: domain })
  state.associations.add(`${record.id} ${company.id}`)
  return record
}

function goesBack(existing: StoredRecord | undefined, { lifecyclestage: wanted }: Readonly<Record<string, string>>) {
  const placeOf = (stage: unknown) => lifecycleStages.indexOf(String(stage))
  return wanted !== undefined && wanted !== '' && placeOf(wanted) < placeOf(existing?.properties['lifecyclestage'])
}

function withoutStage({ lifecyclestage: _, ...others }: Readonly<Record<string, string>>) {
  return others
}
