/** The types of records in API responses, derived from the column lists in this folder. */
import type { Kind, Surface } from './column.ts'
import type { fields, Register } from './index.ts'

/** The values of each kind. */
interface Values extends Record<Kind, unknown> {
  identifier: string
  name: string
  text: string
  code: string
  email: string
  date: string
  amount: number
  integer: number
  list: readonly string[]
}

type Names<C, S extends Surface> = C extends { readonly as: { readonly [K in S]: infer N extends string } }
  ? N
  : C extends { readonly name: infer N extends string }
    ? N
    : never

type Value<C> = C extends { readonly kind: infer K extends Kind }
  ? C extends { readonly kind: 'identifier' } | { readonly isFilled: true }
    ? Values[K]
    : Values[K] | null
  : never

/** A record as a response of this kind shows it. */
export type Answer<R extends Register, S extends Surface> = {
  readonly [C in keyof (typeof fields)[R] as S extends OnOf<(typeof fields)[R][C]>
    ? Names<(typeof fields)[R][C], S>
    : never]: Value<(typeof fields)[R][C]>
}
type OnOf<C> = C extends { readonly on: readonly (infer S)[] } ? S : never
