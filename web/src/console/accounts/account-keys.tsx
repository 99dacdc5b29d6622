/** An account's API keys: create, rotate, revoke. */
import { keyFields, newKeyOf, rotatedKeyOf, rotationFields } from '../../look/key-form.ts'
import { type Key, KeyTable } from '../../look/key-table.tsx'
import { Reading } from '../../look/reading.tsx'
import { SecretOnce } from '../../look/secret-once.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { OperatorAct } from '../operator-act.tsx'

export function AccountKeys({ id }: { readonly id: string }) {
  const path = { id }
  const keys = useRead(['accounts', 'keys', id], () => api.GET('/admin/users/{id}/keys', { params: { path } }))
  return (
    <section>
      <div className="page-head">
        <h2>API keys</h2>
        <OperatorAct
          label="Make a key"
          title="Make an API key"
          tone="main"
          fields={keyFields}
          calls={(typed) => api.POST('/admin/users/{id}/keys', { params: { path }, body: newKeyOf(typed) })}
          shows={({ api_key }) => <SecretOnce secret={api_key} what="the API key" />}
        />
      </div>
      <Reading of={keys} what="the keys">
        {({ data }) => <KeyTable keys={data} acts={(key) => <KeyActs id={id} of={key} />} />}
      </Reading>
    </section>
  )
}

function KeyActs({ id, of: { prefix } }: { readonly id: string; readonly of: Key }) {
  return (
    <div className="acts">
      <OperatorAct
        label="Rotate"
        title={`Rotate ${prefix}`}
        fields={rotationFields}
        calls={(typed) => {
          const params = { path: { id } }
          return api.POST('/admin/users/{id}/keys', { params, body: rotatedKeyOf(prefix, typed) })
        }}
        shows={({ api_key }) => <SecretOnce secret={api_key} what="the new API key" />}
      />
      <OperatorAct
        label="Revoke"
        title={`Revoke ${prefix}?`}
        says={() => `${prefix} is revoked.`}
        tone="danger"
        calls={() => {
          const params = { path: { id, prefix } }
          return api.DELETE('/admin/users/{id}/keys/{prefix}', { params, body: {} })
        }}
      >
        <p>It stops working at once, and its sessions end.</p>
      </OperatorAct>
    </div>
  )
}
