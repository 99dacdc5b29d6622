/** What can happen in a life, as plain data, so that another process can do it, too. */

export type Deed =
  | { readonly kind: 'grant'; readonly credits: number; readonly days: number | null; readonly reference: string }
  | { readonly kind: 'buy'; readonly credits: number; readonly paise: number; readonly days: number }
  | { readonly kind: 'order'; readonly serials: readonly number[]; readonly isOnline: boolean }
  | { readonly kind: 'cancel'; readonly order: string }
  | { readonly kind: 'tell paid'; readonly notice: PaidNotice }
  | { readonly kind: 'refund in the dashboard'; readonly payment: string; readonly id: string; readonly paise: number }
  | { readonly kind: 'tell refund'; readonly payment: string; readonly id: string; readonly paise: number }
  | {
      readonly kind: 'give money back'
      readonly payment: string
      readonly reference: string
      /** What is left of it unless told. */
      readonly paise: number | null
      readonly rows: readonly number[] | null
    }
  | {
      readonly kind: 'tell dispute'
      readonly payment: string
      readonly id: string
      readonly paise: number
      readonly state: 'open' | 'won' | 'lost' | 'closed'
      readonly taken: number
    }
  | { readonly kind: 'read'; readonly order: string }
  | {
      readonly kind: 'crm'
      readonly order: string
      readonly rows: readonly number[]
      readonly answer: 'acknowledged' | 'rejected'
    }
  | { readonly kind: 'give credits back'; readonly order: string; readonly rows: readonly number[] }
  | { readonly kind: 'report'; readonly order: string; readonly row: number }
  | { readonly kind: 'decide'; readonly order: string; readonly row: number; readonly accept: boolean }
  | {
      readonly kind: 'settle debt'
      readonly way: 'collect' | 'write_off'
      readonly paise: number
      readonly reference: string
    }
  | { readonly kind: 'switch holding'; readonly holds: boolean }
  | { readonly kind: 'pass'; readonly days: number }
  | { readonly kind: 'jobs' }

export interface PaidNotice {
  readonly paymentId: string
  readonly paymentOrderId: string
  readonly amount: number
  readonly currency: string
  readonly fee: number
  readonly feeTax: number
}

/** How it ended, and what the model cannot know: ids, and how a credit note divides its sum. */
export interface Answer {
  /** `done`, an outcome of an event, or the code of a refusal. */
  readonly ended: string
  readonly id?: string
  /** The processor's order that is to be paid. */
  readonly paymentOrder?: string
  readonly tax?: number
}
