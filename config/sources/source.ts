/**
 * What a registry source declares: the headers that its snapshots have had, the table column that each cell goes to and
 * how it is read, and the limits beyond which a snapshot is suspicious. Data only: `src/ingest` turns it into SQL. A
 * new source is one file here, its line in index.ts, a migration for its table, and a fixture.
 */
import type { EntityType } from '../../src/domain/identity.ts'
import type { Vocabulary } from '../vocabularies.ts'

export type RunMode = 'snapshot' | 'delta'
export type DateOrder = 'dmy' | 'mdy'

/** A header that the source has had. Names are compared without case, spaces, underscores and punctuation. */
export interface HeaderGeneration {
  readonly name: string
  /** Field → the column names that it has had. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** Fields without which a file is not of this generation. */
  readonly required: readonly string[]
  /**
   * Order of day and month in dates that do not begin with the year. Only for sources documented to use it: without it,
   * each file's own dates decide, and ambiguous ones are rejected.
   */
  readonly dateOrder?: DateOrder
  /** Column of the file → field, as mapped by an operator. */
  readonly map?: Readonly<Record<string, string>>
}

/**
 * How one column of the target table is filled. `from` names a field of the header generation. An identifier, and any
 * rule with `required`, rejects the row if it cannot be read.
 */
export type ColumnRule =
  | { readonly kind: 'company-id' | 'din' | 'gstin'; readonly from: string }
  /** Former identifiers of the company, one or several per cell. */
  | { readonly kind: 'previous-ids'; readonly from: string }
  /** Parts joined with `separator`, each a column of this table with its own rule. */
  | {
      readonly kind: 'joined'
      readonly columns: readonly string[]
      readonly separator: string
      /** The parts that identify the record of a rejected row: a file has them in plain form. */
      readonly named: readonly string[]
      /** Columns appended, cut to 60 characters, if not empty. */
      readonly optional?: readonly string[]
    }
  /** Identifier of the type that another field names: company, director or gst. */
  | { readonly kind: 'any-identifier'; readonly from: string; readonly entityFrom: string }
  | {
      readonly kind: 'text'
      readonly from: string
      readonly required?: boolean
      readonly letterCase?: 'title' | 'lower'
      /** Used if the cell is empty. */
      readonly fallback?: string
      readonly oneOf?: readonly string[]
    }
  /** The vocabulary's word; an unknown one is kept as is and reported. */
  | { readonly kind: 'word'; readonly from: string; readonly vocabulary: Vocabulary }
  | { readonly kind: 'amount' | 'registrar' | 'pincode'; readonly from: string }
  /**
   * Usable e-mail addresses or telephone numbers from one or two cells: all of them, or the first. Invalid ones are
   * dropped and counted. Parts of one table that read the same cells name the same fields.
   */
  | { readonly kind: 'contact'; readonly part: ContactPart; readonly from: readonly string[] }
  /** An address or a number of a list, in the form in which contacts are stored. */
  | { readonly kind: 'contact-value'; readonly from: string }
  /** The address of a website. */
  | { readonly kind: 'website'; readonly from: string }
  | {
      readonly kind: 'integer'
      readonly from: string
      readonly max: number
      readonly required?: boolean
      readonly fallback?: number
      readonly oneOf?: readonly number[]
    }
  /**
   * A day. That of a `financialYear` moves on every year, and a year alone (`2019`, `2018-19`) means its end, 31 March.
   */
  | {
      readonly kind: 'date'
      readonly from: string
      readonly financialYear?: boolean
      /** A file without the day removes it from a record whose word in another column changes to this one. */
      readonly removedBy?: { readonly column: string; readonly word: string }
    }
  /** Values joined by `separator`; codes of goods or services may also be joined by commas. */
  | { readonly kind: 'list'; readonly from: string; readonly separator: string; readonly codes?: ListedCodes }
  /** The search form of the first of these columns that is not empty. Computed for new and changed rows only. */
  | { readonly kind: 'name-key'; readonly of: readonly string[] }
  /** A person's full name; composed of its parts if the source has no full name. */
  | { readonly kind: 'full-name'; readonly from: string; readonly parts: readonly string[] }
  /**
   * A part of a person's name, cut from the full name if the source has no such field; a single word is the last name.
   */
  | {
      readonly kind: 'name-part'
      readonly part: NamePart
      readonly parts: Readonly<Record<NamePart, string>>
      readonly fullFrom: string
    }
  /** What an identifier implies. Never overwrites a value from a more complete snapshot. */
  | { readonly kind: 'derived'; readonly by: Derivation; readonly from: string; readonly prefer?: string }
  /** The vintage of the NIC digits, by the year in `dateFrom`, else by the year in the CIN. */
  | { readonly kind: 'nic-vintage'; readonly from: string; readonly dateFrom: string }
  /** The description in the NIC list, by vintage and digits; the source's own text if the list has none. */
  | { readonly kind: 'nic-description'; readonly level: 'sub-class' | 'division'; readonly from: string }
  | { readonly kind: 'place'; readonly part: PlacePart }
  /**
   * Codes of goods and of services with their descriptions: `hsn` and `sac` name the two fields, of which a record
   * fills one.
   */
  | { readonly kind: 'tariff'; readonly part: TariffPart; readonly hsn: string; readonly sac: string }
  /** The whole address, or its parts and then those of its place, joined. A place alone is not an address. */
  | {
      readonly kind: 'address'
      readonly whole: string
      readonly parts: readonly string[]
      readonly placeParts: readonly string[]
    }

export type ContactPart = 'emails' | 'email' | 'mobiles' | 'mobile' | 'landlines' | 'phone'
export type NamePart = 'first' | 'middle' | 'last'
/** Codes of goods (HSN) or of services (SAC). */
export type ListedCodes = 'hsn' | 'sac'

export type TariffPart = 'kind' | 'code' | 'chapter' | 'section' | 'description'
export type PlacePart = 'city' | 'district' | 'state' | 'pincode'
export type Derivation =
  | 'company-type'
  | 'nic-code'
  | 'main-division'
  | 'listing'
  | 'gstin-kind'
  | 'gstin-pan'
  | 'gstin-state-code'

/** Where a record's place is read from: the PIN determines the district, the state's own field determines the state. */
export interface PlaceSources {
  /** Address that ends with town, state and PIN: `…,North Goa,Goa,403521-India`. */
  readonly address?: string
  readonly city?: readonly string[]
  readonly district?: string
  readonly state?: string
  readonly pincode?: string
  /** Country of the address. Abroad, no code or word is one of India's: states and districts are as the source writes them. */
  readonly country?: string
  /** Free text that may end with the PIN code, for records that have none in a cell of its own. */
  readonly pincodeAtEndOf?: string
  /** Field whose identifier implies the state if nothing else does. */
  readonly identifier?: { readonly from: string; readonly letters: 'cin' | 'gstin' }
}

export interface Bounds {
  /** Records that a full file of this source may contain. */
  readonly rowsMin: number
  readonly rowsMax: number
  /** Largest share of a partition's open records that one snapshot may close. */
  readonly closedShareMax: number
  /**
   * Largest shares of the records that a file may change in one column, by kind of change; default `usualChangesMax`.
   * For a source that usually changes more, its previous runs are decisive.
   */
  readonly changesMax?: Partial<Readonly<Record<ChangeKind, number>>>
  /** Largest share of a file's records that may be rejected. */
  readonly rejectedShareMax: number
  /** Largest share of the checked records that may have no value in a column of the header. */
  readonly emptyShareMax?: Readonly<Record<string, number>>
  /** Largest share of the checked records whose word in a column may be outside its vocabulary. */
  readonly unknownShareMax?: number
}

/**
 * How a record changes in a column: in any way; from a value to none; to a lower amount or an earlier day; to a higher
 * amount or a later day; to ten times the amount or more, or a tenth or less; together with many others to the same
 * word of a vocabulary; to a name that another record had.
 */
export type ChangeKind = 'changed' | 'emptied' | 'fell' | 'rose' | 'jumped' | 'shifted' | 'moved'

export const usualChangesMax: Readonly<Record<ChangeKind, number>> = {
  changed: 0.5,
  emptied: 0.1,
  fell: 0.1,
  rose: 0.3,
  jumped: 0.05,
  shifted: 0.3,
  moved: 0.05,
}

/**
 * A delta lists records because they change, so most kinds of change are measured against all open records of the
 * register. These kinds indicate a wrong delta whatever the register contains, so they are shares of the known records
 * that the delta lists.
 */
export const deltaChangesMax: Partial<Readonly<Record<ChangeKind, number>>> = { emptied: 0.5, jumped: 0.5, moved: 0.1 }

/** Up to this many changes of a kind in one column never need approval: a person can read them. */
export const fewChanges: Readonly<Record<ChangeKind, number>> = {
  changed: 100,
  emptied: 100,
  fell: 100,
  rose: 100,
  jumped: 50,
  shifted: 100,
  moved: 50,
}

export interface Source {
  /** What operators type: `panji ingest <name>`. */
  readonly name: string
  /** Name in ingest.change and registry.version. */
  readonly entity: string
  readonly table: string
  readonly key: string
  /**
   * Inserts of a first load are not stored as changes but derived from the record until it changes; the register has
   * the columns and triggers for it.
   */
  readonly impliesInserts?: true
  readonly defaultMode: RunMode
  readonly generations: readonly HeaderGeneration[]
  readonly columns: Readonly<Record<string, ColumnRule>>
  readonly place?: PlaceSources
  /** Sheets of a workbook that together make up the source, their columns side by side; by default the first sheet. */
  readonly sheets?: readonly string[]
  /**
   * Column that divides the register into separately published partitions; a source without one has the partition `*`.
   */
  readonly scope?: string
  /** Time zone of the publisher's day; default `publisherZone`. */
  readonly timezone?: string
  readonly bounds: Bounds
  readonly feed?: FeedProjection
}

/** The registers are published in India. */
export const publisherZone = 'Asia/Kolkata'

/** How feed.registration reads the records of this source, and by which date. */
export interface FeedProjection {
  readonly dataset: EntityType
  readonly registeredOn: string
}
