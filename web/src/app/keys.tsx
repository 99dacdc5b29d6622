/** The account's API keys and the sessions opened with them; sessions of people are on the Team page. */
import { DataTable } from '../look/data-table.tsx'
import { keyFields, newKeyOf, rotatedKeyOf, rotationFields } from '../look/key-form.ts'
import { type Key, KeyTable } from '../look/key-table.tsx'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { SecretOnce } from '../look/secret-once.tsx'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { AccountAct } from './account-act.tsx'

export default function Keys() {
  const keys = useRead(['keys'], () => api.GET('/api/keys'))
  return (
    <Page
      title="API keys"
      lead="Your programs call the API with a key. Choose one to see its requests."
      acts={
        <AccountAct
          needs="keys"
          label="Make a key"
          title="Make an API key"
          tone="main"
          fields={keyFields}
          calls={(typed) => api.POST('/api/keys', { body: newKeyOf(typed) })}
          shows={({ api_key }) => <SecretOnce secret={api_key} what="the API key" />}
        />
      }
    >
      <Reading of={keys} what="your keys">
        {({ data }) => (
          <KeyTable keys={data} acts={(key) => <KeyActs of={key} />} requestsOf={({ prefix }) => `/keys/${prefix}`} />
        )}
      </Reading>
      <Sessions />
    </Page>
  )
}

function KeyActs({ of: { prefix } }: { readonly of: Key }) {
  return (
    <div className="acts">
      <AccountAct
        needs="keys"
        label="Rotate"
        title={`Rotate ${prefix}`}
        fields={rotationFields}
        calls={(typed) => api.POST('/api/keys', { body: rotatedKeyOf(prefix, typed) })}
        shows={({ api_key }) => <SecretOnce secret={api_key} what="the new API key" />}
      />
      <AccountAct
        needs="read"
        asAdmin
        label="Revoke"
        title={`Revoke ${prefix}?`}
        says={() => `${prefix} is revoked.`}
        tone="danger"
        calls={() => api.DELETE('/api/keys/{prefix}', { params: { path: { prefix } }, body: {} })}
      >
        <p>
          It stops working at once, and so do keys made with it. Sessions opened with any of them end, including this
          one.
        </p>
      </AccountAct>
    </div>
  )
}

function Sessions() {
  const sessions = useRead(['sessions'], () => api.GET('/api/sessions'))
  return (
    <section>
      <h2>Sessions</h2>
      <Reading of={sessions} what="your sessions">
        {({ data }) => (
          <DataTable
            caption="Sessions"
            rows={data.filter(({ person }) => person === null)}
            keyOf={({ session_id }) => session_id}
            empty={<p>No session is open.</p>}
            columns={[
              {
                head: 'Opened by',
                by: ({ key_name, person }) => person?.name ?? key_name,
                cell: ({ key_prefix, key_name, person }) => person?.name ?? `${key_name} (${key_prefix})`,
              },
              { head: 'From', by: ({ opened_from }) => opened_from, cell: ({ opened_from }) => opened_from ?? '–' },
              { head: 'At', at: ({ created_at }) => created_at },
              { head: 'Ends', at: ({ expires_at }) => expires_at },
              {
                head: 'Change',
                cell: ({ session_id: id, current }) =>
                  current ? (
                    'this one'
                  ) : (
                    <AccountAct
                      needs="read"
                      asAdmin
                      label="End"
                      title="End this session?"
                      says={() => 'The session is ended.'}
                      tone="danger"
                      calls={() => api.DELETE('/api/sessions/{id}', { params: { path: { id } }, body: {} })}
                    />
                  ),
              },
            ]}
          />
        )}
      </Reading>
    </section>
  )
}
