/** API keys by prefix; only their holders know the keys themselves. */

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { components } from '../../../client/api-types.ts'
import { Badge, type Tone } from './badge.tsx'
import { DataTable } from './data-table.tsx'

export type Key = components['schemas']['ApiKey']

export const keyScopes = ['read', 'write', 'order', 'deliver', 'keys'] as const

export function stateOfKey({ expires_at, revoked_at }: Key): readonly [Tone, string] {
  if (revoked_at) return ['plain', 'revoked']
  if (expires_at && Date.parse(expires_at) <= Date.now()) return ['plain', 'expired']
  return ['good', 'in use']
}

export function KeyTable(props: {
  readonly keys: readonly Key[]
  readonly acts: (key: Key) => ReactNode
  /** The page of the key's requests, if there is one. */
  readonly requestsOf?: (key: Key) => string
}) {
  const { keys, acts, requestsOf } = props
  return (
    <DataTable
      caption="API keys"
      rows={keys}
      keyOf={({ key_id }) => key_id}
      empty={<p>There is no key yet. Make one, and give it to the program that calls the API.</p>}
      columns={[
        {
          head: 'Begins with',
          by: ({ prefix }) => prefix,
          cell: (key) => {
            const prefix = <code>{key.prefix}</code>
            return requestsOf ? <Link href={requestsOf(key)}>{prefix}</Link> : prefix
          },
        },
        { head: 'Name', by: ({ name }) => name },
        { head: 'May', cell: ({ scopes }) => scopes.join(', ') },
        {
          head: 'State',
          by: (key) => stateOfKey(key)[1],
          cell: (key) => {
            const [tone, word] = stateOfKey(key)
            return <Badge tone={tone}>{word}</Badge>
          },
        },
        { head: 'Made', at: ({ created_at }) => created_at },
        {
          head: 'By',
          by: ({ made_by, parent }) => made_by ?? parent ?? 'operator',
          cell: ({ made_by, parent }) => made_by ?? (parent ? <code>{parent}</code> : 'operator'),
        },
        { head: 'Last used', at: ({ last_used_at }) => last_used_at },
        { head: 'Ends', at: ({ expires_at }) => expires_at },
        { head: 'Change', cell: (key) => (stateOfKey(key)[1] === 'in use' ? acts(key) : null) },
      ]}
    />
  )
}
