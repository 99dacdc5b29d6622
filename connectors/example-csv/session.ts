/** A session with one folder. The push engine and port.ts deliver leads into it. */
import type { LimitReport } from '../call-gate.ts'
import type {
  CrmField,
  CrmSession,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
} from '../contract.ts'
import { PushEngine } from '../push-engine.ts'
import { codeOf, Folder, type FoundFile } from './folder.ts'
import { describeColumns } from './mapping.ts'
import { FolderPort, type Unreadable } from './port.ts'
import { type CsvSettings, folderNameOf } from './settings.ts'

export class FolderSession implements CrmSession {
  readonly #name: string
  readonly #folder: Folder
  readonly #engine: PushEngine<Unreadable, FoundFile>

  constructor(deliveryDir: string, settings: CsvSettings, options: SessionOptions) {
    this.#name = folderNameOf(settings)
    this.#folder = new Folder(deliveryDir, this.#name)
    this.#engine = new PushEngine(new FolderPort(this.#folder, options))
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

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#engine.plan(leads)
  }

  push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    return this.#engine.push(leads)
  }

  async lookup(externalIds: readonly string[]): Promise<ReadonlyMap<string, FoundFile>> {
    const found = new Map<string, FoundFile>()
    for (const externalId of externalIds) {
      const file = await this.#folder.find(externalId)
      if (file) found.set(externalId, file)
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
