/** An operator connects a CRM to an account: kind, credentials, options, and when orders are delivered. */
import { whenFields, whenOf } from '../../look/crm/deliver-when.ts'
import {
  asJson,
  fieldsOf,
  type Kind,
  type SignInWay,
  settingFields,
  settingsOf,
  valuesOf,
} from '../../look/crm/settings-form.ts'
import { api } from '../../wire/api.ts'
import { useMay } from '../operator.ts'
import { OperatorAct } from '../operator-act.tsx'
import { useKinds } from './crm-kinds.ts'

export function ConnectCrm({ id }: { readonly id: string }) {
  const may = useMay('operator')
  const kinds = useKinds()
  if (!may) return null
  return (
    <details>
      <summary>Connect a CRM</summary>
      <div className="cards">
        {(kinds.data ?? []).map((kind) => (
          <section key={kind.type} className="card" aria-label={kind.label}>
            <h3>{kind.label}</h3>
            <div className="acts">
              {[...kind.sign_ins, asJson].map((way) => (
                <ConnectBy key={way.name} id={id} kind={kind} way={way} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </details>
  )
}

function ConnectBy({ id, kind, way }: { readonly id: string; readonly kind: Kind; readonly way: SignInWay }) {
  const { type, label } = kind
  const options = way === asJson ? [] : kind.options
  return (
    <OperatorAct
      label={way.label}
      confirms={`Connect ${label}`}
      title={`Connect ${label}: ${way.label}`}
      says={() => `${label} is connected. Test it next.`}
      fields={[
        { name: 'name', label: 'Name', initial: label, hint: 'The name the account’s people use for it.' },
        ...settingFields(way),
        ...fieldsOf(options).map((field) => ({ ...field, fold: 'Options' })),
        ...whenFields(),
      ]}
      calls={(typed) => {
        const settings = { ...valuesOf(options, typed), ...settingsOf(way, typed) }
        const body = { type, name: typed['name'] ?? label, settings, deliver: whenOf(typed) }
        return api.POST('/admin/users/{id}/destinations', { params: { path: { id } }, body })
      }}
    >
      <p>What you enter is stored encrypted and never shown again. Test it in the list.</p>
    </OperatorAct>
  )
}
