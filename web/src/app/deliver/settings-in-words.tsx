/**
 * The settings of a destination under the labels of its form; settings without a form field are shown as JSON below.
 */

import type { Destination } from '../../look/crm/destination-state.tsx'
import { type SettingField, settingText } from '../../look/crm/settings-form.ts'
import { Facts } from '../../look/facts.tsx'
import { useKinds } from './kinds.ts'

export function SettingsInWords({ of: { type, settings } }: { readonly of: Destination }) {
  const kind = useKinds().data?.find((each) => each.type === type)
  if (!kind) return null
  const fields = new Map(
    [...kind.sign_ins.flatMap((way) => way.fields), ...kind.options].map((each) => [each.name, each]),
  )
  const given = Object.entries(settings).filter(([, value]) => !isEmpty(value))
  const fixed = new Set(kind.sign_ins.flatMap((way) => Object.keys(way.fixed)))
  const rest = given.filter(([name]) => !fields.has(name) && !fixed.has(name))
  return (
    <details>
      <summary>Settings</summary>
      <Facts
        of={given.flatMap(([name, value]) => {
          const field = fields.get(name)
          return field ? [[field.label, inWords(field, value)] as const] : []
        })}
      />
      {rest.length > 0 && (
        <>
          <p>As JSON, for settings that have no field:</p>
          <pre>{JSON.stringify(Object.fromEntries(rest), null, 2)}</pre>
        </>
      )}
    </details>
  )
}

function inWords({ choices }: SettingField, value: unknown): string {
  const text = settingText(value)
  return choices?.find((each) => each.value === text)?.label ?? text
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
