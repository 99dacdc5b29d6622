/** What a phrase's parts mean, before the register is known. */
import type { ScreenerType } from '../screener/fields.ts'

export interface Equality {
  readonly field: string
  readonly value: string
}

export type Item =
  /** A word for the GST register, which expresses no condition. */
  | { readonly kind: 'register' }
  /** Words for records in general, and filler words. */
  | { readonly kind: 'swallowed' }
  | { readonly kind: 'joiner'; readonly or: boolean }
  | { readonly kind: 'noun' }
  | {
      readonly kind: 'word'
      readonly says: Readonly<Partial<Record<ScreenerType, Equality>>>
      readonly isGst?: boolean
      readonly isNegated?: boolean
    }
  | { readonly kind: 'place'; readonly field: 'state' | 'District'; readonly name: string; readonly isNegated: boolean }
  | { readonly kind: 'pin'; readonly code: string }
  /** The day of incorporation or registration: the operator and what follows it. */
  | { readonly kind: 'days'; readonly condition: string }
  | { readonly kind: 'capital'; readonly field: string }
  | { readonly kind: 'amount'; readonly condition: string }
  | { readonly kind: 'reach'; readonly way: string; readonly isNegated: boolean }
  | { readonly kind: 'industry'; readonly word: string }
  | { readonly kind: 'code'; readonly type: ScreenerType | undefined; readonly condition: string }
  | { readonly kind: 'name'; readonly operator: string; readonly text: string }
  | { readonly kind: 'unread' }

export interface Found {
  readonly item: Item
  /** Positions of tokens: the first one, and the first one after it. */
  readonly first: number
  readonly end: number
}
