/** A list of names and values. Unknown values are left out. */
import type { ReactNode } from 'react'
import { dayInWords, readsAsDay } from './days.ts'

export type Fact = readonly [name: string, value: ReactNode]

export function Facts({ of: facts }: { readonly of: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A value of the API whose type differs from field to field. */
export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value === 'number') return new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 }).format(value)
  if (typeof value === 'string' && readsAsDay(value)) return dayInWords(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
