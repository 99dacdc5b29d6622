/** The description of a form field, and the values typed into a form. */

export interface FieldShape {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'lines' | 'number' | 'decimal' | 'percent' | 'date' | 'time' | 'check' | 'password' | 'email'
  readonly options?: readonly (string | { readonly value: string; readonly label: string })[]
  readonly initial?: string
  readonly max?: number
  /** Of the person who types: what a browser may fill in, as HTML’s `autocomplete` names it. */
  readonly fills?: string
  /** Required unless this is set. */
  readonly optional?: boolean
  /** Shown while another field has one of these values. */
  readonly when?: { readonly name: string; readonly is: readonly string[] }
  /** Folded under this heading, below the fields without one. */
  readonly fold?: string
}

/** By field name; a ticked checkbox is `on`, an empty field is missing. */
export type Typed = Readonly<Record<string, string>>
