/** What the parts of a phrase say, before it is known which register they are asked of. */
import type { ScreenerType } from '../screener/fields.ts'

export interface Equality {
  readonly field: string
  readonly value: string
}

export type Item =
  /** A word of the GST register, which makes no condition. */
  | { readonly kind: 'register' }
  /** What a buyer calls the records, and all that only makes a sentence. */
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
  /** Of the day of incorporation or of registration; the operator and what follows it. */
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
  /** Of the tokens: the first one, and the first one after it. */
  readonly first: number
  readonly end: number
}
