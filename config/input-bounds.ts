/**
 * All limits of an input: how long fetching may take, the size of a file before and after decompression, and the width
 * and length of its rows. Beyond a limit of a file the run fails; beyond one of a row the row is rejected.
 * docs/operations.md explains them; those with a variable in src/settings/env.ts can be set there.
 */
export interface FetchBounds {
  /** Bytes of a file as published, compressed or not. PANJI_INPUT_BYTES_MAX */
  readonly fileBytesMax: number
  /** Bytes of a file after decompression. PANJI_UNPACKED_BYTES_MAX */
  readonly unpackedBytesMax: number
  /** Compression ratio; no table compresses better. Applies beyond `inflationFreeBytes`. */
  readonly inflationMax: number
  readonly inflationFreeBytes: number
  /** Files in one zip. */
  readonly membersMax: number
  /** A workbook inside a zip is held in memory while it is read. */
  readonly innerWorkbookBytesMax: number
  /** Timeout for connecting to a server, in ms. */
  readonly connectMsMax: number
  /** Longest silence of a server, before or during its response, in ms. PANJI_FETCH_SILENCE_SECONDS */
  readonly silenceMsMax: number
  /**
   * Longest download including resumptions, in ms; shorter than the queue's limit for a run. PANJI_FETCH_SECONDS_MAX
   */
  readonly fetchMsMax: number
  readonly redirectsMax: number
  /**
   * Resumptions per attempt after a broken connection. Then the queue retries the run, which continues from the same
   * byte.
   */
  readonly resumesMax: number
  /** Delay before the first resumption, in ms; doubles each time. */
  readonly resumeDelayMs: number
  /** Downloaded bytes are flushed to disk, and can be resumed after a crash, at this interval. */
  readonly syncEveryBytes: number
  /** A file in a watched folder is complete once it has not changed for this long, in ms. PANJI_DROP_SETTLE_SECONDS */
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

/** Limits of the process that reads a compressed or parsed format; beyond any of them it is killed. */
export interface ParserBounds {
  /** Resident memory, measured from outside. */
  readonly memoryBytesMax: number
  /** JavaScript heap, part of that memory. */
  readonly heapMegabytesMax: number
  /** Longest time without output while the reader is waiting, in ms. */
  readonly silenceMsMax: number
  /** Total CPU time, which ends the process even if the worker is gone. */
  readonly processorSecondsMax: number
}

export const parserBounds: ParserBounds = {
  memoryBytesMax: 1 << 30,
  heapMegabytesMax: 512,
  silenceMsMax: 120_000,
  processorSecondsMax: 4 * 3600,
}

/** A larger record (a row with its line breaks inside quotes) is rejected: no registry has such cells. */
export const recordBytesMax = 1 << 20

/** Columns of a header. PostgreSQL allows 1,600; no register comes near this. */
export const columnsMax = 500

/** Non-blank rows searched for the header: titles and notes may precede it. */
export const titleRowsMax = 20

/** Shared strings of a workbook. */
export const stringTableBounds = { bytesMax: 96 << 20, stringsMax: 4_000_000 } as const

/**
 * Limits of a workbook's declarations. Excel itself allows 255 characters per format, 65,490 cell styles and far fewer
 * formats.
 */
export const workbookBounds = {
  sheetsMax: 1000,
  /** Parts in its list of relations: sheets, styles, themes, links. */
  relationsMax: 10_000,
  formatsMax: 10_000,
  formatCharactersMax: 255,
  cellStylesMax: 65_536,
} as const

/** XML in general: nesting depth, and the length of one tag or comment. Texts have no separate limit. */
export const xmlBounds = { depthMax: 256, tagCharactersMax: 1 << 20 } as const

/** JSON: the records sampled to determine the columns. */
export const jsonSampleBounds = { recordsMax: 1000, bytesMax: 8 << 20 } as const

/** One record of JSON: deeper values are skipped; a longer key path rejects the line. */
export const jsonRecordBounds = { depthMax: 5, pathCharactersMax: 500 } as const

export interface RejectBounds {
  readonly keptMax: number
  readonly keptBytesMax: number
}

/**
 * Rejected rows of a run: how many are stored with their line and raw text, and how many bytes of raw text. All are
 * counted. A run that exceeds both what is stored and its source's limit fails at once.
 */
export const rejectBounds: RejectBounds = { keptMax: 100_000, keptBytesMax: 256 << 20 }
