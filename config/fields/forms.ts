/** The forms that codes have: a code of another form stands in no record, and is refused where somebody asks for it. */

export interface Form {
  readonly shape: RegExp
  /** What has this form, in words. */
  readonly words: string
}

export const pinCode: Form = { shape: /^[1-9]\d{5}$/, words: 'a PIN of six digits, of which the first is not 0' }
export const nicDivision: Form = { shape: /^\d{2}$/, words: 'a division of two digits' }
