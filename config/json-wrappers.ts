/**
 * Names under which API responses nest their records: a list under such a name contains the rows of the file, an object
 * is the record itself. Compared without case, spaces and punctuation; members next to them are not part of a record.
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
