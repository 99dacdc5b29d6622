/** A director's other companies; it counts as a detail, so it loads on a press. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Reading } from '../../look/reading.tsx'
import { fixed, metered } from '../../wire/queries.ts'
import { readRecord } from './read-record.ts'

export function OtherCompanies({
  din,
  of,
  name,
}: {
  readonly din: string
  readonly of: string
  readonly name: string
}) {
  const [isAsked, setAsked] = useState(false)
  const director = useQuery({
    queryKey: ['record', 'director', din, ''],
    queryFn: () => readRecord('director', din, ''),
    enabled: isAsked,
    meta: fixed,
    ...metered,
  })
  if (!isAsked) {
    return (
      <button
        type="button"
        className="as-link"
        aria-label={`Other companies of ${name}`}
        onClick={() => setAsked(true)}
      >
        Other companies
      </button>
    )
  }
  return (
    <Reading of={director} what="the other companies">
      {({ relations }) => {
        const others = [...new Map(relations.map((each) => [each.id, each])).values()].filter(({ id }) => id !== of)
        if (others.length === 0) return <span className="faint">in no other company</span>
        return (
          <span>
            also in{' '}
            {others.map(({ id, name: company }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <Link href={`/record/company/${id}`}>{company}</Link>
              </span>
            ))}
          </span>
        )
      }}
    </Reading>
  )
}
