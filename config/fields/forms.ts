/** The forms of codes. A code of another form occurs in no record, so a query for one is rejected. */

export interface Form {
  readonly shape: RegExp
  /** Describes values of this form. */
  readonly words: string
}

export const pinCode: Form = { shape: /^[1-9]\d{5}$/, words: 'a PIN of six digits, of which the first is not 0' }
export const nicDivision: Form = { shape: /^\d{2}$/, words: 'a division of two digits' }
