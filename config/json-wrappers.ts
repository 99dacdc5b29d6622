/**
 * Names under which answers of APIs carry their records: a list of records under such a name holds the rows of the file, an object is the record
 * itself. Compared without case, spaces and punctuation; what else stands beside them is no part of a record.
 */
export const jsonWrappers: readonly string[] = [
  'records',
  'data',
  'result',
  'results',
  'response',
  'items',
  'rows',
  'body',
  'payload',
  'taxpayerInfo',
  'taxpayers',
  'masterData',
  'companyMasterData',
  'llpMasterData',
  'companyData',
  'companies',
  'llps',
  'directors',
]
