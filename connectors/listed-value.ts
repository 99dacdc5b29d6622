/**
 * The one rule for restricted lists, of whatever CRM: a text goes in as the value of the list that it means, and one that the list
 * lacks goes to the Description, or nowhere where the CRM has none, so that its lead is not refused.
 */
import { z } from 'zod'
import type { CrmField } from './contract.ts'

/** Field, as `describe` names it → what the register says → value of the field's list. */
export const ListValues = z.record(z.string(), z.record(z.string(), z.string())).default({})
export type ListValues = z.output<typeof ListValues>

/** The fields with what the customer says of their lists. @param nameOf as `describe` names a field. */
export function withListValues(
  fields: readonly CrmField[],
  said: ListValues,
  nameOf: (field: string) => string = (field) => field,
): readonly CrmField[] {
  return fields.map((field) => {
    const values = said[nameOf(field.name)]
    return values === undefined ? field : { ...field, labels: { ...field.labels, ...values } }
  })
}

/** What of the customer's words no list can take, a sentence for each. @param fields as `describe` names them. */
export function adviceOnListValues(fields: readonly CrmField[], said: ListValues): string[] {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.entries(said).flatMap(([name, values]) => {
    const field = byName.get(name)
    if (field === undefined || field.allowed === null)
      return [`list_values names ${name}, which is no field with a restricted list.`]
    const missing = [...new Set(Object.values(values))].filter((value) => listedValue(field, value) === null)
    return missing.length === 0 ? [] : [`list_values of ${name} names what its list lacks: ${missing.join(', ')}.`]
  })
}

/** Itself in whatever case, or what stands behind it as a label or by the customer's word. @returns null where the list has none. */
export function listedValue(
  { allowed, labels = {} }: Pick<CrmField, 'allowed' | 'labels'>,
  text: string,
): string | null {
  if (allowed === null || allowed.includes(text)) return text
  const isSame = (other: string) => other.toLowerCase() === text.toLowerCase()
  const [, meant] = Object.entries(labels).find(([label, value]) => isSame(label) && allowed.includes(value)) ?? []
  return meant ?? allowed.find(isSame) ?? null
}

/** What people call a value of the list. */
export const labelOf = ({ labels = {} }: Pick<CrmField, 'labels'>, value: string): string =>
  Object.entries(labels).find(([, each]) => each === value)?.[0] ?? value

/** What records are to join stands between `;`. */
export const partsOf = (text: unknown): readonly string[] =>
  (typeof text === 'string' ? text : '').split(';').flatMap((part) => part.trim() || [])

/** Why no record can join what this text names. */
export const whyNot = ({ name, closed = {} }: CrmField, text: string): string =>
  Object.entries(closed).find(([known]) => known.toLowerCase() === text.toLowerCase())?.[1] ??
  `${name}: the CRM has no "${text}" that records can join`
