/**
 * One conversation with one folder. A push reads each file, asks the ownership rules what may be written, and
 * acknowledges a lead once its file is flushed; pushing again finds everything as it should be and writes nothing.
 */
import { AppError } from '../../src/errors.ts'
import type {
  CrmField,
  CrmSession,
  LimitReport,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
} from '../contract.ts'
import {
  changesOf,
  decideFields,
  type FieldDecision,
  type FieldRule,
  rowWriteOf,
  unconfirmedOf,
} from '../field-ownership.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import { codeOf, type FileValues, Folder } from './folder.ts'
import {
  describeColumns,
  desiredValues,
  emptyRecord,
  foreseenRefusal,
  identityColumn,
  numericColumns,
} from './mapping.ts'
import { type CsvSettings, folderNameOf } from './settings.ts'

const noSuchId = { code: 'INVALID_ID', field: identityColumn, message: 'The identity is none that a registry gives' }
const noRoom = new Set(['ENOSPC', 'EDQUOT'])
const noRoomMs = 15 * 60_000

export class FolderSession implements CrmSession {
  readonly #name: string
  readonly #folder: Folder
  readonly #options: SessionOptions

  constructor(deliveryDir: string, settings: CsvSettings, options: SessionOptions) {
    this.#name = folderNameOf(settings)
    this.#folder = new Folder(deliveryDir, this.#name)
    this.#options = options
  }

  /** The folder is the account: two destinations with one secret share their ledger. */
  async identify(): Promise<RemoteAccount> {
    return { account: this.#name, recordUrls: {} }
  }

  async describe(): Promise<readonly CrmField[]> {
    return describeColumns()
  }

  async setup(): Promise<SetupReport> {
    try {
      const isNew = await this.#folder.make()
      return { created: isNew ? [this.#name] : [], present: isNew ? [] : [this.#name], todo: [] }
    } catch (error) {
      const todo = `Make the folder that PANJI_CSV_DELIVERY_DIR names and let Panji write there (${codeOf(error)}).`
      return { created: [], present: [], todo: [todo] }
    }
  }

  async limits(): Promise<LimitReport> {
    return { dailyUsed: null, dailyLimit: null }
  }

  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const actions: PlannedAction[] = []
    for (const lead of leads) actions.push(await this.#planOne(lead))
    return actions
  }

  async #planOne(lead: OutgoingLead): Promise<PlannedAction> {
    const file = this.#folder.fileOf(lead.externalId)
    const refusal = file === null ? noSuchId : foreseenRefusal(desiredValues(lead))
    if (file === null || refusal !== null) return { action: 'reject', ...(refusal ?? noSuchId) }
    const present = await this.#folder.read(file)
    if (present === null) return { action: 'create' }
    const decision = decide(lead, present)
    const changes = changesOf(decision, present)
    if (changes.length > 0) return { action: 'update', changes }
    if (decision.held.length === 0) return { action: 'unchanged' }
    return { action: 'conflict', reason: `edited in the file: ${decision.held.join(', ')}` }
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const outcomes = new Map<string, PushOutcome>()
    if (leads.length > 0 && !(await this.#folder.exists()))
      throw new AppError(
        'DESTINATION_INVALID',
        'The folder of this destination is not there; test the destination (`panji destination test`), which makes it',
      )
    // Of two leads of one identity the last speaks for both.
    for (const lead of new Map(leads.map((each) => [each.externalId, each])).values())
      outcomes.set(lead.externalId, await this.#pushOne(lead, [...outcomes.values()]))
    const isWritten = [...outcomes.values()].some(({ status }) => status === 'created' || status === 'updated')
    if (isWritten) await this.#folder.flush()
    return leads.map(({ externalId }) => outcomes.get(externalId) ?? lost('the lead was not reached'))
  }

  /** @param before what became of the leads before it: a failure is thrown only as long as nothing was written. */
  async #pushOne(lead: OutgoingLead, before: readonly PushOutcome[]): Promise<PushOutcome> {
    const file = this.#folder.fileOf(lead.externalId)
    const refusal = file === null ? noSuchId : foreseenRefusal(desiredValues(lead))
    if (file === null || refusal !== null) return { status: 'rejected', ...(refusal ?? noSuchId) }
    try {
      if (this.#options.signal.aborted) throw new AppError('CRM_UNAVAILABLE', 'The push was stopped')
      const present = await this.#folder.read(file)
      const decision = decide(lead, present)
      const { write, values } = decision
      if (present !== null && Object.keys(write).length === 0) return { status: 'unchanged', crmId: file, values }
      await this.#options.gate.take(1, this.#options.signal)
      this.#options.tellWrite?.(lead.externalId, rowWriteOf(decision, present))
      await this.#folder.write(file, { ...emptyRecord(lead), ...present, ...write })
      return { status: present === null ? 'created' : 'updated', crmId: file, values }
    } catch (error) {
      if (!(error instanceof AppError)) return outcomeOfFailure(error)
      if (before.every(({ status }) => status === 'rejected')) throw error
      const afterMs = typeof error.retry === 'object' ? error.retry.afterMs : 60_000
      return { status: 'deferred', afterMs, code: error.code, field: null, message: error.message }
    }
  }

  async lookup(externalIds: readonly string[]) {
    const found = new Map<string, { readonly crmId: string; readonly values: FileValues }>()
    for (const externalId of externalIds) {
      const crmId = this.#folder.fileOf(externalId)
      const values = crmId === null ? null : await this.#folder.read(crmId)
      if (crmId !== null && values !== null) found.set(externalId, { crmId, values })
    }
    return found
  }

  async erase(externalIds: readonly string[]): Promise<number> {
    let erased = 0
    for (const externalId of new Set(externalIds)) {
      const file = this.#folder.fileOf(externalId)
      if (file !== null && (await this.#folder.delete(file))) erased += 1
    }
    if (erased > 0) await this.#folder.flush()
    return erased
  }
}

/** Whoever works with the files owns what they change in them. */
function decide(lead: OutgoingLead, present: FileValues | null): FieldDecision<string> {
  const overrides = overridesOf(lead)
  const ruleOf = (column: string): FieldRule => ({
    ownership: ownershipOf(overrides, column) ?? 'if_unchanged',
    numeric: numericColumns.has(column),
  })
  return decideFields(desiredValues(lead), present, lead.lastPushed, ruleOf, unconfirmedOf(lead).map(desiredValues))
}

/** A file that cannot be read or replaced concerns its own lead; a disk without room concerns them all. */
function outcomeOfFailure(error: unknown): PushOutcome {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : 'the file cannot be written'
  if (noRoom.has(code)) return { status: 'deferred', afterMs: noRoomMs, blocks: true, code, field: null, message }
  if (code === 'EIO') return lost(message)
  return {
    status: 'rejected',
    code: code || 'FILE_UNREADABLE',
    field: null,
    message: `The file is in the way: ${code}`,
  }
}

const lost = (message: string): PushOutcome => ({ status: 'unknown', message })
