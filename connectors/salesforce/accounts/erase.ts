/**
 * Deletes the records of leads from an org. Deleting an Account also deletes everything attached to it, so an Account
 * to which users attached contacts or opportunities of their own stays, with the fields that Panji fills cleared.
 */
import { AppError } from '../../../src/errors.ts'
import type { KnownRecord, KnownRecords, ReportRestorable } from '../../contract.ts'
import type { SalesforceClient, SalesforceRecord } from '../client.ts'
import { requireDeleted } from '../leads/lead-records.ts'
import { errorCodeOf } from '../outcomes.ts'
import { type FoundParts, type PartFields, personIdOf } from './decide.ts'

const inTheBin = 'it lies in the recycle bin of Salesforce for 15 days'
const stays = 'people attached records of their own to the account, so it stays, emptied of what Panji fills'

export interface HeldParts {
  /** By external id. */
  readonly found: ReadonlyMap<string, FoundParts>
  readonly fields: PartFields
}

/**
 * Leaves the contact into which people merged a company's person. @param known what the ledger knows, by external id.
 * @returns how many leads existed. Idempotent.
 */
export async function eraseParts(
  client: SalesforceClient,
  { found, fields }: HeldParts,
  known: KnownRecords,
  reportRestorable: ReportRestorable,
): Promise<number> {
  const there = [...found].filter(([, { Account, Contact }]) => Account !== undefined || Contact !== undefined)
  await destroy(
    client,
    'Contact',
    there.flatMap(([externalId, { Contact }]) => (Contact && isOurs(Contact, known.get(externalId)) ? Contact : [])),
  )
  const accounts = there.flatMap(([, { Account }]) => Account ?? [])
  const shared = await withRecordsOfOthers(client, accounts)
  const emptied = accounts.filter(({ Id }) => shared.has(Id))
  const results = await client.update(
    'Account',
    emptied.map((record) => emptiedOf(record, [...fields.Account.keys()])),
  )
  requireDeleted(results, emptied.length)
  await destroy(
    client,
    'Account',
    accounts.filter(({ Id }) => !shared.has(Id)),
  )
  for (const [externalId, { Account }] of there)
    reportRestorable(externalId, shared.has(Account?.Id) ? stays : inTheBin)
  return there.length
}

/** A director is a contact, and known by its own id; a recall checks that one. */
const isOurs = ({ Id }: SalesforceRecord, known: KnownRecord | undefined): boolean =>
  Id === ((known && personIdOf(known)) ?? Id)

async function destroy(
  client: SalesforceClient,
  object: 'Account' | 'Contact',
  records: readonly SalesforceRecord[],
): Promise<void> {
  const ids = records.map(({ Id }) => Id)
  requireDeleted(await client.destroy(object, ids), ids.length)
}

/** The name of an Account is required. */
function emptiedOf({ Id }: SalesforceRecord, fields: readonly string[]): Readonly<Record<string, unknown>> {
  return { Id, ...Object.fromEntries(fields.filter((name) => name !== 'Name').map((name) => [name, null])) }
}

/** Called after Panji's own contacts are deleted: anything still attached to these accounts belongs to users. */
async function withRecordsOfOthers(
  client: SalesforceClient,
  accounts: readonly SalesforceRecord[],
): Promise<ReadonlySet<unknown>> {
  const ids = accounts.map(({ Id }) => Id)
  const held = new Set<unknown>()
  for (const object of ['Contact', 'Opportunity'] as const) {
    try {
      for (const record of await client.find(object, 'AccountId', ids, [])) held.add(record['AccountId'])
    } catch (error) {
      // An org without opportunities has none to lose.
      const code = errorCodeOf(error instanceof AppError ? error.cause : error)
      if (object === 'Contact' || code !== 'INVALID_TYPE') throw error
    }
  }
  return held
}
