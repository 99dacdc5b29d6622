/** The last columns of an export of rejects; a file whose header ends with all of them is one. */
export const ownColumns = ['line', 'code', 'message', 'raw'] as const

export const isExport = (header: readonly string[]): boolean =>
  ownColumns.every((name, index) => header[header.length - ownColumns.length + index] === name)

/** The columns of the source's file, even if the rejects of an export were exported again. */
export const columnsOfFile = (header: readonly string[]): readonly string[] =>
  isExport(header) ? columnsOfFile(header.slice(0, -ownColumns.length)) : header
