/** The kinds of CRM, and the form fields for their settings. */
import type { components } from '../../../../client/api-types.ts'
import { PanjiApiError } from '../../wire/api.ts'
import type { FieldShape, Typed } from '../field-shape.ts'
import { lineOfRules, rulesIn } from './rules.ts'

export type Kind = components['schemas']['DestinationKind']
export type SignInWay = components['schemas']['SignInWay']
export type SettingField = components['schemas']['SettingField']
type Settings = Readonly<Record<string, unknown>>

/** For settings kept as a file, and for settings without a form field. */
export const asJson: SignInWay = { name: 'json', label: 'As JSON', fixed: {}, fields: [] }

const whole = 'settings'
const controls = { text: 'text', secret: 'password', lines: 'lines', number: 'number', rules: 'lines' } as const

/** @param present the stored settings; without them the connector's defaults are used. */
export function fieldsOf(fields: readonly SettingField[], present?: Settings): readonly FieldShape[] {
  return fields.map(({ name, label, hint, kind, choices, required, initial }): FieldShape => {
    const begins = present?.[name] === undefined ? (initial ?? '') : settingText(present[name])
    const shared = { name, label, hint, optional: !required, ...(begins !== '' && { initial: begins }) }
    if (kind !== 'choice') return { ...shared, kind: controls[kind] }
    // A value set as JSON remains a choice.
    const others = (choices ?? []).some(({ value }) => value === begins)
      ? []
      : [{ value: begins, label: begins || 'as it is now' }]
    return { ...shared, optional: begins === '', options: [...(choices ?? []), ...others] }
  })
}

/** A key of several lines is one, too, and so may be what stands in a file. */
export const isNoSecret = ({ kind }: FieldShape): boolean => kind !== 'password' && kind !== 'lines'

export const settingFields = ({ name, fields }: SignInWay): readonly FieldShape[] =>
  name === asJson.name
    ? [
        {
          ...{ name: whole, label: 'Settings', kind: 'lines' },
          hint: 'A JSON object with the settings from this CRM’s manual, such as {"timeout_ms": 30000}.',
        },
      ]
    : fieldsOf(fields)

/** @throws PanjiApiError for invalid JSON. */
export const settingsOf = ({ fixed, fields }: SignInWay, typed: Typed): Record<string, unknown> => ({
  ...fixed,
  ...valuesOf(fields, typed),
  ...objectIn(typed[whole] ?? '{}'),
})

/** From fields that were filled in. */
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
    // Reported below, in words that help.
  }
  throw new PanjiApiError(422, { detail: 'The settings are not a JSON object. Write {"member": "value"}.' })
}
