/** Form descriptions of a destination's settings, and the fields that several connectors share. */

export interface SettingField {
  readonly name: string
  readonly label: string
  /** Where a person finds it. */
  readonly hint: string
  /** `rules`: pairs of a CRM field and a lead column, one per line. */
  readonly kind: 'text' | 'secret' | 'lines' | 'choice' | 'number' | 'rules'
  /** For a choice: the possible values, and what each means. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly required: boolean
  readonly initial?: string
}

/** One way to sign in: the values that it fixes, and the fields to fill in. */
export interface SignInWay {
  /** Identifies it within its connector: `jwt`, `private-app`. */
  readonly name: string
  readonly label: string
  readonly fixed: Readonly<Record<string, string>>
  readonly fields: readonly SettingField[]
}

/** @param choices value of the setting → label; the first is the default. */
export function choice(
  name: string,
  label: string,
  choices: Readonly<Record<string, string>>,
  hint: string,
): SettingField {
  const listed = Object.entries(choices).map(([value, words]) => ({ value, label: words }))
  return { name, label, hint, kind: 'choice', choices: listed, required: false, initial: listed[0]?.value ?? '' }
}

export const onDeleted = choice(
  'on_deleted',
  'When somebody deleted the record of a lead',
  { respect: 'leave it deleted', recreate: 'write a new record' },
  'Of a lead whose record is gone from the CRM and that is sent again.',
)

export const managedFields = choice(
  'managed_fields',
  'Fields of its own for what the registers say',
  { on: 'fill them', off: 'leave them out' },
  'CIN, status, capital and others; the test makes those that are missing. Left out, they lie in the description.',
)

/** @param example a rule for this CRM. */
export const matchOn = (example: string): SettingField => ({
  ...{ name: 'match_on', label: 'Records that were there before are found by', kind: 'rules', required: false },
  hint: `A line each, a field of the CRM and the column of the lead that it must equal: ${example}. Several of one line, with commas between, must all agree. Empty: what is usual, such as an e-mail address, a telephone, or a name and a town.`,
})

export const timeoutMs = (initial: number): SettingField => ({
  ...{ name: 'timeout_ms', label: 'Longest wait for an answer, in milliseconds', kind: 'number', required: false },
  hint: 'More for a CRM whose own code takes its time.',
  initial: String(initial),
})
