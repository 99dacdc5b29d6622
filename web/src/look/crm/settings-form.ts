/** Kinds of CRM, and the settings that a form for one of them asks for and makes. */
import type { components } from '../../../../client/api-types.ts'
import { PanjiApiError } from '../../wire/api.ts'
import type { FieldShape, Typed } from '../field-shape.ts'
import { lineOfRules, rulesIn } from './rules.ts'

export type Kind = components['schemas']['DestinationKind']
export type SignInWay = components['schemas']['SignInWay']
export type SettingField = components['schemas']['SettingField']
type Settings = Readonly<Record<string, unknown>>

/** For settings that somebody has as a file, and what no field asks for. */
export const asJson: SignInWay = { name: 'json', label: 'As JSON', fixed: {}, fields: [] }

const whole = 'settings'
const controls = { text: 'text', secret: 'password', lines: 'lines', number: 'number', rules: 'lines' } as const

/** @param present settings that are stored; without them a form begins with what the connector says. */
export function fieldsOf(fields: readonly SettingField[], present?: Settings): readonly FieldShape[] {
  return fields.map(({ name, label, hint, kind, choices, required, initial }): FieldShape => {
    const begins = present?.[name] === undefined ? (initial ?? '') : settingText(present[name])
    const shared = { name, label, hint, optional: !required, ...(begins !== '' && { initial: begins }) }
    if (kind !== 'choice') return { ...shared, kind: controls[kind] }
    // A value that somebody gave as JSON stays one that can be chosen.
    const others = (choices ?? []).some(({ value }) => value === begins)
      ? []
      : [{ value: begins, label: begins || 'as it is now' }]
    return { ...shared, optional: begins === '', options: [...(choices ?? []), ...others] }
  })
}

export const settingFields = ({ name, fields }: SignInWay): readonly FieldShape[] =>
  name === asJson.name
    ? [
        {
          ...{ name: whole, label: 'Settings', kind: 'lines' },
          hint: 'A JSON object with the settings from this CRM’s manual, such as {"timeout_ms": 30000}.',
        },
      ]
    : fieldsOf(fields)

/** @throws PanjiApiError in words where the JSON is none. */
export const settingsOf = ({ fixed, fields }: SignInWay, typed: Typed): Record<string, unknown> => ({
  ...fixed,
  ...valuesOf(fields, typed),
  ...objectIn(typed[whole] ?? '{}'),
})

/** Of fields that were filled. */
export const valuesOf = (fields: readonly SettingField[], typed: Typed): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const text = typed[name]
      if (text === undefined) return []
      return [[name, kind === 'number' ? Number(text) : kind === 'rules' ? rulesIn(text) : text] as const]
    }),
  )

export const settingText = (value: unknown): string =>
  Array.isArray(value) ? lineOfRules(value) : typeof value === 'object' ? JSON.stringify(value) : String(value)

function objectIn(text: string): object {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  } catch {
    // Said below, in the words that help.
  }
  throw new PanjiApiError(422, { detail: 'The settings are not a JSON object. Write {"member": "value"}.' })
}
