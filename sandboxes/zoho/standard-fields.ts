/** The standard fields of Leads in every org, with their lengths. */

export interface SandboxField {
  readonly api_name: string
  readonly field_label: string
  readonly data_type: string
  readonly length: number
  readonly system_mandatory: boolean
  /** Mandatory in the layout only, which the field list does not show. */
  readonly requiredByLayout?: boolean
  readonly read_only: boolean
  readonly unique: Readonly<Record<string, unknown>>
  readonly crypt: Readonly<Record<string, unknown>> | null
  readonly custom_field: boolean
  readonly pick_list_values: readonly ListOption[]
}

interface ListOption {
  readonly actual_value: string
  readonly display_value: string
  /** Missing in a state of an earlier version. */
  readonly type?: 'used' | 'unused'
}

/** A field as an org describes it. */
export function standard(name: string, type: string, length: number, more: Partial<SandboxField> = {}): SandboxField {
  return {
    api_name: name,
    field_label: name.replaceAll('_', ' '),
    data_type: type,
    length,
    system_mandatory: false,
    read_only: false,
    unique: {},
    crypt: null,
    custom_field: false,
    pick_list_values: [],
    ...more,
  }
}

export const optionsOf = (
  values: readonly string[],
  type: ListOption['type'] = 'used',
  shownAs: Readonly<Record<string, string>> = {},
): ListOption[] => values.map((value) => ({ actual_value: value, display_value: shownAs[value] ?? value, type }))

export const standardFields: readonly SandboxField[] = [
  standard('id', 'bigint', 20, { read_only: true }),
  standard('Full_Name', 'text', 120, { read_only: true }),
  standard('Created_Time', 'datetime', 120, { read_only: true }),
  standard('Owner', 'ownerlookup', 120),
  standard('Last_Name', 'text', 80, { system_mandatory: true }),
  standard('First_Name', 'text', 40),
  standard('Company', 'text', 200),
  standard('Email', 'email', 100),
  standard('Phone', 'phone', 30),
  standard('Mobile', 'phone', 30),
  standard('Website', 'website', 255),
  standard('Street', 'text', 250),
  standard('City', 'text', 100),
  standard('State', 'text', 100),
  standard('Zip_Code', 'text', 30),
  standard('Country', 'text', 100),
  standard('Description', 'textarea', 32_000),
  standard('Lead_Source', 'picklist', 120, { pick_list_values: optionsOf(['-None-', 'Advertisement', 'Cold Call']) }),
  standard('Lead_Status', 'picklist', 120, { pick_list_values: optionsOf(['-None-', 'Contacted', 'Lost Lead']) }),
  standard('Annual_Revenue', 'currency', 16),
]
