/** Checks a mapping against the CRM's field list and returns one sentence per fault. */
import type { CrmField } from '../../../connectors/contract.ts'
import { listedValue, partsOf, whyNot } from '../../../connectors/listed-value.ts'
import { entityTypes } from '../../domain/identity.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { columnExists, columnsOf, type FieldMapping, kindsOf, overridesFor } from '../destinations/field-mapping.ts'
import { branchesOf, type PlainValue } from '../destinations/mapped-value.ts'

/** @param notOffered fields that users expect in such a CRM, with the reason why it does not offer them. */
export function faultsOfMapping(
  mapping: readonly FieldMapping[],
  crmFields: readonly CrmField[],
  notOffered: Readonly<Record<string, string>> = {},
): string[] {
  const byName = new Map(crmFields.map((field) => [field.name, field]))
  const mapped = new Set<string>()
  return mapping.flatMap((each, index) => {
    const faults: string[] = []
    const field = byName.get(each.field)
    if (!field) faults.push(notOffered[each.field] ?? `the CRM has no field ${each.field} that may be written`)
    if (field?.isJoined && each.ownership !== undefined)
      faults.push(`${each.field} is joined once and never left, so nobody owns it`)
    if (field?.isJoined && each.value === undefined) faults.push(`it does not say what records join by ${each.field}`)
    if (field?.isIdentity) faults.push(`${each.field} holds the identity of the record, which no mapping fills`)
    for (const kind of kindsOf(each)) {
      if (mapped.has(`${kind} ${each.field}`)) faults.push(`${each.field} is mapped twice for ${kind} leads`)
      mapped.add(`${kind} ${each.field}`)
    }
    for (const column of columnsOf(each)) {
      if (!entityTypes.some((type) => columnExists(type, column))) faults.push(`a lead has no column ${column}`)
      else if (!kindsOf(each).some((type) => columnExists(type, column))) {
        faults.push(`${kindsOf(each).join(' and ')} leads have no column ${column}`)
      }
    }
    if (each.value === undefined && each.ownership === undefined)
      faults.push('it names neither a value nor an ownership')
    if (each.value === undefined && each.transform !== undefined) faults.push('there is no value to transform')
    if (field) faults.push(...faultsOfField(each, field))
    return faults.map((fault) => `fields[${index}]: ${fault}`)
  })
}

function faultsOfField(mapping: FieldMapping, field: CrmField): string[] {
  const { value } = mapping
  return value === undefined ? [] : branchesOf(value).flatMap((branch) => faultsOfBranch(mapping, branch, field))
}

function faultsOfBranch(mapping: FieldMapping, branch: PlainValue, field: CrmField): string[] {
  if ('omit' in branch) return field.required ? [`${field.name} is required by the CRM`] : []
  if ('template' in branch && /[{}]/.test(branch.template.replace(/\{\w+\}/g, '')))
    return [`"${branch.template}" has a brace around no column; write a column as {GSTIN}`]
  if (field.type === 'boolean' || field.type === 'bool') return [`${field.name} is a yes or no, which no text fills`]
  const values = 'constant' in branch ? [branch.constant] : 'round_robin' in branch ? branch.round_robin : []
  // The value is the same for every lead, so an empty row shows it as it will be sent.
  return kindsOf(mapping)
    .slice(0, 1)
    .flatMap((type) =>
      values.flatMap((constant) => overridesFor({ type, row: {} }, [{ ...mapping, value: { constant } }])),
    )
    .flatMap(({ value: text }) => faultOfValue(field, text ?? ''))
}

/** Vendors' names for a type, what its text form is, and whether a text has it. */
const shapes: readonly (readonly [RegExp, string, (text: string) => boolean])[] = [
  [
    /^(number|double|currency|decimal|percent|int|integer|bigint|long)$/,
    'a number',
    (text) => Number.isFinite(Number(text)),
  ],
  [/^date$/, 'a day written 2026-04-01', isIsoDate],
  [/^email$/, 'an e-mail address', isAddress],
]

function isAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return local !== '' && domain.indexOf('.') > 0 && more.length === 0 && !/\s/.test(text)
}

export function faultOfValue(field: CrmField, text: string): string[] {
  const { name, type, allowed, lengthMax } = field
  if (text.trim() === '') return []
  if (field.isJoined)
    return partsOf(text).flatMap((part) => (listedValue(field, part) === null ? [whyNot(field, part)] : []))
  const shape = shapes.find(([types, , fits]) => types.test(type) && !fits(text.trim()))
  if (shape !== undefined) return [`${name} is ${shape[1]}, and "${text}" is none`]
  if (allowed !== null)
    return listedValue(field, text.trim()) !== null ? [] : [`${name} takes one of its list, and "${text}" is none`]
  if (lengthMax !== null && text.length > lengthMax)
    return [`${name} takes ${lengthMax} characters, not ${text.length}`]
  return []
}
