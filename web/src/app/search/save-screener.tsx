/** Saves the current query under a name. */
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import type { Kind } from './language.ts'

export function SaveScreener({ query, type }: { readonly query: string; readonly type: Kind }) {
  return (
    <AccountAct
      needs="write"
      label="Save"
      title="Save this query"
      says={() => 'The search is saved.'}
      fields={[
        { name: 'name', label: 'Name' },
        { name: 'description', label: 'What it is for', optional: true },
      ]}
      calls={({ name = '', description }) => {
        const body = { name, type, query, ...(description && { description }) }
        return api.POST('/api/screener/screeners', { body })
      }}
    >
      <pre>{query}</pre>
    </AccountAct>
  )
}
