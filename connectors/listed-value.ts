/** The value of a restricted list that a text means: itself in whatever case, or what stands behind it as a label. */
import type { CrmField } from './contract.ts'

/** @returns null where the list has none, so that the text goes elsewhere and its lead is not refused. */
export function listedValue(
  { allowed, labels = {} }: Pick<CrmField, 'allowed' | 'labels'>,
  text: string,
): string | null {
  if (allowed === null || allowed.includes(text)) return text
  const isSame = (other: string) => other.toLowerCase() === text.toLowerCase()
  const label = Object.entries(labels).find(([name]) => isSame(name))
  return label?.[1] ?? allowed.find(isSame) ?? null
}
