/** Why a record of a snapshot is rejected: every code with its meaning, as docs/operations.md lists them. */
export const rejectCodes = {
  cin_malformed: 'the company identifier fits no CIN, LLPIN, FLLPIN or FCRN; letters typed for zeros are not corrected',
  din_malformed: 'the DIN has other than one to eight digits',
  gstin_malformed:
    'the GSTIN fits no kind, its state code does not exist, or its check digit is wrong and proves no other reading',
  identifier_malformed:
    'the identifier of a contact does not fit the entity that its row names, or a preference names no address and no number',
  duplicate_in_file: 'a later line of the file has the same identifier; the last one wins',
  column_count: 'the row has more or fewer columns than the header',
  quotes: 'the quotes of the row do not pair up',
  record_too_long: 'the row is longer than 1 MiB',
  json_unreadable: 'the line of a JSON Lines file, or the entry of a list, is not one whole JSON object',
  date_ambiguous: 'the date can be two days, and no date of the file shows whether day or month stands first',
  date_unreadable: 'the value is no existing day in the order of the file',
  amount_unreadable: 'the value is no amount',
  number_unreadable: 'the value is no whole number, or larger than the column allows',
  value_missing: 'a required value is empty, or the record is new and the file has no such column',
  value_not_allowed: 'the value is none of those that the column may hold',
  tariff_code_malformed: 'no code of goods or of services, or both in one row',
} as const

export type RejectCode = keyof typeof rejectCodes
