/** The name of a row with the search words highlighted, whether it is owned, and its contacts. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../../look/badge.tsx'
import type { Column } from '../../../look/column.ts'
import type { Terms } from '../filters/terms.ts'
import type { Hit } from '../found.ts'
import type { Kind } from '../language.ts'

const nameFields = { company: 'company', gst: 'TradeName' } as const
const named: ReadonlySet<string> = new Set(Object.values(nameFields))

export function nameColumn(type: Kind, terms: Terms): Column<Hit> {
  const letters = terms.flatMap(({ field, operator, values }) =>
    field !== null && named.has(field) && operator !== 'NOT IN' && operator !== '!=' ? values : [],
  )
  return {
    head: 'Name',
    sortedAs: nameFields[type],
    cell: ({ type, id, name, owned }) => (
      <div className="found-name">
        <Link href={`/record/${type}/${encodeURIComponent(id)}`}>{marked(name, letters)}</Link>{' '}
        {owned && <Badge tone="good">owned</Badge>}
        <code>{id}</code>
      </div>
    ),
  }
}

/** The first occurrence of any of the words, ignoring case. */
export function marked(name: string, letters: readonly string[]): ReactNode {
  const [found] = letters
    .map((each) => ({ at: name.toLowerCase().indexOf(each.toLowerCase()), length: each.length }))
    .filter(({ at, length }) => at !== -1 && length > 0)
  if (!found) return name
  const end = found.at + found.length
  return (
    <>
      {name.slice(0, found.at)}
      <mark>{name.slice(found.at, end)}</mark>
      {name.slice(end)}
    </>
  )
}

const ways = [
  ['mobile', '☎', 'mobile'],
  ['email', '✉', 'e-mail'],
  ['website', '↗', 'website'],
] as const

export const reachColumn: Column<Hit> = {
  head: 'Contacts',
  cell: ({ reach }) => {
    const known = ways.filter(([way]) => reach?.[way])
    if (known.length === 0) return <span className="faint">–</span>
    return (
      <span className="ways">
        {known.map(([way, sign, name]) => (
          <span key={way} role="img" aria-label={name}>
            {sign}
          </span>
        ))}
      </span>
    )
  },
}
