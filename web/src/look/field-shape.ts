/** What a form asks for, and what was typed into it. */

export interface FieldShape {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'lines' | 'number' | 'decimal' | 'percent' | 'date' | 'time' | 'check' | 'password' | 'email'
  readonly options?: readonly (string | { readonly value: string; readonly label: string })[]
  readonly initial?: string
  /** Of a percentage. */
  readonly max?: number
  /** Asked for unless it says otherwise. */
  readonly optional?: boolean
  /** Shown while another field has one of these values. */
  readonly when?: { readonly name: string; readonly is: readonly string[] }
  /** Folded away with the others of this heading, below those without one. */
  readonly fold?: string
}

/** By name; a box that is ticked is `on`, what was left empty is missing. */
export type Typed = Readonly<Record<string, string>>
