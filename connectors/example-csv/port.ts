/** The push port of a folder: one file per lead, named by its external id, so that none can lose it. */
import { AppError } from '../../src/errors.ts'
import type { FieldsOfCrm } from '../changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal, SessionOptions } from '../contract.ts'
import { withoutRoom } from '../deferrals.ts'
import { decideFields, type FieldDecision, type FieldRule, rowWriteOf, unconfirmedOf } from '../field-ownership.ts'
import { type Known, nothingKnown, type Sought } from '../known-records.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import type { Act, Decided, PushPort, WriteReport } from '../push-port.ts'
import { codeOf, type Folder, type FoundFile } from './folder.ts'
import { desiredValues, emptyRecord, foreseenRefusal, identityColumn, numericColumns } from './mapping.ts'

/** Why a file cannot be read, by external id. */
export type Unreadable = Map<string, Refusal>
type Files = ReadonlyMap<string, FoundFile>

interface DecidedFile extends Decided {
  readonly record: FoundFile | undefined
  readonly decision: FieldDecision<string>
}

const noSuchId = { code: 'INVALID_ID', field: identityColumn, message: 'This is not an identity of a registry' }
const noRoom = new Set(['ENOSPC', 'EDQUOT'])

export class FolderPort implements PushPort<Unreadable, FoundFile, DecidedFile> {
  readonly crm = 'the file'
  /** The columns of a folder never change. */
  readonly fieldsOfCrm: FieldsOfCrm = { mayBeOfFields: () => false, answers: [] }
  readonly #folder: Folder
  readonly #options: SessionOptions

  constructor(folder: Folder, options: SessionOptions) {
    this.#folder = folder
    this.#options = options
  }

  async fields(_leads: readonly OutgoingLead[], act: Act): Promise<Unreadable> {
    if (act === 'plan' || (await this.#folder.exists())) return new Map()
    throw new AppError(
      'DESTINATION_INVALID',
      'The folder of this destination is not there; test the destination (`panji destination test`), which makes it',
    )
  }

  async find(sought: readonly Sought[], unreadable: Unreadable): Promise<Files> {
    const found = new Map<string, FoundFile>()
    for (const { externalId } of sought) {
      try {
        const file = await this.#folder.find(externalId)
        if (file) found.set(externalId, file)
      } catch (error) {
        unreadable.set(externalId, refusalOf(error))
      }
    }
    return found
  }

  async known(): Promise<Known<FoundFile>> {
    return nothingKnown()
  }

  foreseen(lead: OutgoingLead): Refusal | null {
    return this.#folder.fileOf(lead.externalId) === null ? noSuchId : foreseenRefusal(desiredValues(lead))
  }

  /** People who edit the files own what they change. */
  async decide(leads: readonly OutgoingLead[], found: Files, unreadable: Unreadable): Promise<readonly DecidedFile[]> {
    return leads.map((lead) => {
      const overrides = overridesOf(lead)
      const ruleOf = (column: string): FieldRule => ({
        ownership: ownershipOf(overrides, column) ?? 'if_unchanged',
        numeric: numericColumns.has(column),
      })
      const record = found.get(lead.externalId)
      const unconfirmed = unconfirmedOf(lead).map(desiredValues)
      const decision = decideFields(desiredValues(lead), record?.values ?? null, lead.lastPushed, ruleOf, unconfirmed)
      return { lead, record, refusal: unreadable.get(lead.externalId) ?? null, decision }
    })
  }

  /** A lead is acknowledged once its file is flushed. */
  async write(rows: readonly DecidedFile[], _: Unreadable, how: 'create' | 'upsert'): Promise<WriteReport> {
    const { gate, signal, reportWrite } = this.#options
    const outcomes = new Map<string, PushOutcome>()
    const met: OutgoingLead[] = []
    let stoppedBy: AppError | null = null
    for (const { lead, record, decision } of rows) {
      const crmId = this.#folder.fileOf(lead.externalId) ?? ''
      try {
        if (signal.aborted) throw new AppError('CRM_UNAVAILABLE', 'The push was stopped')
        if (how === 'create' && (await this.#folder.exists(crmId))) {
          met.push(lead)
          continue
        }
        await gate.take(1, signal)
        reportWrite?.(lead.externalId, rowWriteOf(decision, record?.values ?? null))
        await this.#folder.write(crmId, { ...emptyRecord(lead), ...record?.values, ...decision.write })
        const status = record === undefined ? 'created' : 'updated'
        outcomes.set(lead.itemId, { status, crmId, values: decision.values })
      } catch (error) {
        if (error instanceof AppError) {
          stoppedBy = error
          break
        }
        outcomes.set(lead.itemId, outcomeOf(error))
      }
    }
    if ([...outcomes.values()].some((outcome) => 'crmId' in outcome)) await this.#folder.flush()
    return { outcomes, stoppedBy, met }
  }
}

/** A file that cannot be read or replaced concerns its own lead; a disk that fails or is full concerns all. */
function refusalOf(error: unknown): Refusal {
  const code = codeOf(error)
  if (code === 'EIO') throw error
  return { code: code || 'FILE_UNREADABLE', field: null, message: `The file is in the way: ${code}` }
}

function outcomeOf(error: unknown): PushOutcome {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : 'the file cannot be written'
  if (noRoom.has(code)) return withoutRoom({ code, field: null, message }, 'free space where the files are written')
  return code === 'EIO' ? { status: 'unknown', message } : { status: 'rejected', ...refusalOf(error) }
}
