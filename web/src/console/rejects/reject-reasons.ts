/** What each reject code means. The type makes sure that none is missing. */
import type { components } from '../../../../client/api-types.ts'

export const rejectReasons: Readonly<Record<components['schemas']['Reject']['code'], string>> = {
  cin_malformed: 'The company identifier fits no CIN, LLPIN, FLLPIN or FCRN.',
  din_malformed: 'The DIN has other than one to eight digits.',
  gstin_malformed: 'The GSTIN fits no kind, its state code does not exist, or its check digit does not hold.',
  identifier_malformed: 'The identifier does not fit the record that its row names.',
  duplicate_in_file: 'A later line of the file has the same identifier; the last one wins.',
  column_count: 'The row has more or fewer columns than the header.',
  quotes: 'The quotes of the row do not pair up.',
  record_too_long: 'The row is longer than 1 MiB.',
  json_unreadable: 'The line is not one whole JSON object.',
  date_ambiguous: 'The date can be two days, and nothing shows whether day or month stands first.',
  date_unreadable: 'The value is no day that exists.',
  amount_unreadable: 'The value is no amount.',
  number_unreadable: 'The value is no whole number, or too large.',
  value_missing: 'A value without which the record means nothing is empty.',
  value_not_allowed: 'The value is none of those that the column may hold.',
  tariff_code_malformed: 'No code of goods or of services, or both in one row.',
}
