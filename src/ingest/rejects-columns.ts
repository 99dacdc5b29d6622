/** The last columns of an export of rejects; a snapshot that ends in all of them is one. */
export const ownColumns = ['line', 'code', 'message', 'raw'] as const

export const isExport = (header: readonly string[]): boolean =>
  ownColumns.every((name, index) => header[header.length - ownColumns.length + index] === name)
