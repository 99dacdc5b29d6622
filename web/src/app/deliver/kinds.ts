/** Kinds of CRM, and the settings that a form for one of them asks for and makes. */
import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import type { FieldShape, Typed } from '../../look/field.tsx'
import { api, dataOf, PanjiApiError } from '../../wire/api.ts'

export type Kind = components['schemas']['DestinationKind']
export type SignInWay = components['schemas']['SignInWay']

export const useKinds = () =>
  useQuery({ queryKey: ['kinds'], queryFn: async () => dataOf(await api.GET('/api/crm/kinds')).data })

/** For whatever no field asks for, and for settings that somebody has as a file. */
export const asJson: SignInWay = { name: 'json', label: 'Settings as JSON', fixed: {}, fields: [] }

const more = 'more'
const controls = { text: 'text', secret: 'password', lines: 'lines' } as const

export function settingFields({ name, fields }: SignInWay): readonly FieldShape[] {
  const isJson = name === asJson.name
  return [
    ...fields.map(
      ({ name: member, label, hint, kind, required, initial }): FieldShape => ({
        ...{ name: member, label, hint, kind: controls[kind], optional: !required },
        ...(initial !== null && { initial }),
      }),
    ),
    {
      ...{ name: more, label: isJson ? 'Settings' : 'Further settings', kind: 'lines', optional: !isJson },
      hint: 'A JSON object with what the manual of this CRM names, such as {"timeout_ms": 30000}.',
    },
  ]
}

/** @throws PanjiApiError in words where the JSON is none. */
export function settingsOf({ fixed, fields }: SignInWay, typed: Typed): Record<string, unknown> {
  const named = fields.flatMap(({ name }) => (typed[name] === undefined ? [] : [[name, typed[name]] as const]))
  return { ...fixed, ...Object.fromEntries(named), ...objectIn(typed[more] ?? '{}') }
}

function objectIn(text: string): object {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  } catch {
    // Said below, in the words that help.
  }
  throw new PanjiApiError(422, { detail: 'The settings are no JSON object: write {"member": "value"}.' })
}
