/**
 * What an input may be at most, in one place: how long fetching may take, how large a file may be and become, and how
 * wide and long its rows may be. Beyond a bound of a file the run fails, beyond that of a row the row is rejected.
 * docs/operations.md explains them; those with a variable in src/settings/env.ts can be set without touching this file.
 */
export interface FetchBounds {
  /** Bytes of a file as published, compressed or not. PANJI_INPUT_BYTES_MAX */
  readonly fileBytesMax: number
  /** Bytes that a compressed file may become. PANJI_UNPACKED_BYTES_MAX */
  readonly unpackedBytesMax: number
  /** Bytes that leave per byte that enters; no table compresses like that. Counts beyond `inflationFreeBytes`. */
  readonly inflationMax: number
  readonly inflationFreeBytes: number
  /** Files in one zip. */
  readonly membersMax: number
  /** A workbook inside a zip is held whole while it is read. */
  readonly innerWorkbookBytesMax: number
  /** Until a server must have accepted the connection, in ms. */
  readonly connectMsMax: number
  /** Longest silence of a server, before its answer or in the middle of it, in ms. PANJI_FETCH_SILENCE_SECONDS */
  readonly silenceMsMax: number
  /** Longest download, resumptions included, in ms; below the queue's bound of a run. PANJI_FETCH_SECONDS_MAX */
  readonly fetchMsMax: number
  readonly redirectsMax: number
  /** How often one attempt goes on after a cut. The queue then repeats the run, which goes on from the same byte. */
  readonly resumesMax: number
  /** Before the first resumption, in ms; doubles with each. */
  readonly resumeDelayMs: number
  /** What is on disk is made safe, and may be resumed after a crash, every so many bytes. */
  readonly syncEveryBytes: number
  /** A file in a watched folder counts as whole when it stays as it is for so long, in ms. PANJI_DROP_SETTLE_SECONDS */
  readonly settleMs: number
}

export const fetchBounds: FetchBounds = {
  fileBytesMax: 20 * 2 ** 30,
  unpackedBytesMax: 100 * 2 ** 30,
  inflationMax: 500,
  inflationFreeBytes: 64 << 20,
  membersMax: 2000,
  innerWorkbookBytesMax: 64 << 20,
  connectMsMax: 30_000,
  silenceMsMax: 60_000,
  fetchMsMax: 4 * 3600 * 1000,
  redirectsMax: 5,
  resumesMax: 5,
  resumeDelayMs: 1000,
  syncEveryBytes: 8 << 20,
  settleMs: 5000,
}

/** What the process that reads a packed or parsed format may take; beyond any of it the process is ended. */
export interface ParserBounds {
  /** Resident memory, looked at from outside. */
  readonly memoryBytesMax: number
  /** Of that, objects of JavaScript. */
  readonly heapMegabytesMax: number
  /** Longest time without a word while its output is waited for, in ms. */
  readonly silenceMsMax: number
  /** Processor time in all, which ends it even when the worker is gone. */
  readonly processorSecondsMax: number
}

export const parserBounds: ParserBounds = {
  memoryBytesMax: 1 << 30,
  heapMegabytesMax: 512,
  silenceMsMax: 120_000,
  processorSecondsMax: 4 * 3600,
}

/** A record (a row with its line breaks inside quotes) beyond this size is rejected: no registry has cells like that. */
export const recordBytesMax = 1 << 20

/** Columns of a header. PostgreSQL takes 1,600; no register comes near this. */
export const columnsMax = 500

/** Rows, blank ones not counted, in which the header is looked for: titles and notes may stand above it. */
export const titleRowsMax = 20

/** The shared strings of a workbook. */
export const stringTableBounds = { bytesMax: 96 << 20, stringsMax: 4_000_000 } as const

/** What a workbook may declare. Excel itself has 255 characters of a format, 65,490 cell styles and far fewer formats. */
export const workbookBounds = {
  sheetsMax: 1000,
  /** Parts that its list of relations names: sheets, styles, themes, links. */
  relationsMax: 10_000,
  formatsMax: 10_000,
  formatCharactersMax: 255,
  cellStylesMax: 65_536,
} as const

/** XML in general: elements inside each other, and characters of one tag or comment. Texts have no bound of their own. */
export const xmlBounds = { depthMax: 256, tagCharactersMax: 1 << 20 } as const

/** JSON: the records that decide the columns. */
export const jsonSampleBounds = { recordsMax: 1000, bytesMax: 8 << 20 } as const

/**
 * One record of JSON: what lies deeper is passed over; a key that is longer, those above it counted, rejects the
 * line.
 */
export const jsonRecordBounds = { depthMax: 5, pathCharactersMax: 500 } as const

export interface RejectBounds {
  readonly keptMax: number
  readonly keptBytesMax: number
}

/**
 * The rejects of a run: at most so many are kept with their line and raw text, and so many bytes of raw text. All are
 * counted. A run that has more of them than are kept, and more than its source may have at all, fails where it stands.
 */
export const rejectBounds: RejectBounds = { keptMax: 100_000, keptBytesMax: 256 << 20 }
