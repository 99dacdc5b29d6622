/**
 * The common rule for restricted lists: a text is replaced by the list's value for it, and a text that the list lacks
 * is written to the Description, or nowhere if the CRM has none, so that its lead is not refused.
 */
import { z } from 'zod'
import type { CrmField } from './contract.ts'

/** Field as named by `describe` → value of the register → value of the field's list. */
export const ListValues = z.record(z.string(), z.record(z.string(), z.string())).default({})
export type ListValues = z.output<typeof ListValues>

/** The fields with the customer's list values as labels. @param nameOf name of a field as in `describe`. */
export function withListValues(
  fields: readonly CrmField[],
  listValues: ListValues,
  nameOf: (field: string) => string = (field) => field,
): readonly CrmField[] {
  return fields.map((field) => {
    const values = listValues[nameOf(field.name)]
    return values === undefined ? field : { ...field, labels: { ...field.labels, ...values } }
  })
}

/**
 * A sentence for each of the customer's list values that no list can accept. @param fields as `describe` names them.
 */
export function adviceOnListValues(fields: readonly CrmField[], listValues: ListValues): string[] {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.entries(listValues).flatMap(([name, values]) => {
    const field = byName.get(name)
    if (field === undefined || field.allowed === null)
      return [`list_values names ${name}, which is no field with a restricted list.`]
    const missing = [...new Set(Object.values(values))].filter((value) => listedValue(field, value) === null)
    return missing.length === 0 ? [] : [`list_values of ${name} names what its list lacks: ${missing.join(', ')}.`]
  })
}

/**
 * The value itself, ignoring case, or the one that it labels or that the customer assigned. @returns null if the list
 * has none.
 */
export function listedValue(
  { allowed, labels = {} }: Pick<CrmField, 'allowed' | 'labels'>,
  text: string,
): string | null {
  if (allowed === null || allowed.includes(text)) return text
  const isSame = (other: string) => other.toLowerCase() === text.toLowerCase()
  const [, meant] = Object.entries(labels).find(([label, value]) => isSame(label) && allowed.includes(value)) ?? []
  return meant ?? allowed.find(isSame) ?? null
}

export const labelOf = ({ labels = {} }: Pick<CrmField, 'labels'>, value: string): string =>
  Object.entries(labels).find(([, each]) => each === value)?.[0] ?? value

/** The names of what records join are separated by `;`. */
export const partsOf = (text: unknown): readonly string[] =>
  (typeof text === 'string' ? text : '').split(';').flatMap((part) => part.trim() || [])

/** Why no record can join what this text names. */
export const whyNot = ({ name, closed = {} }: CrmField, text: string): string =>
  Object.entries(closed).find(([known]) => known.toLowerCase() === text.toLowerCase())?.[1] ??
  `${name}: the CRM has no "${text}" that records can join`
