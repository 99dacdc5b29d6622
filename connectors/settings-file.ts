/** What the settings files of all connectors have in common: one spelling of their members, and sentences for their faults. */
import type { z } from 'zod'

/**
 * Members are written in snake_case, `client_id`; files of earlier releases have `clientId`, which is read alike. Only the
 * members themselves: what lies inside `ownership` and the like are the CRM's own names.
 */
export function withSnakeCaseNames(input: unknown): { readonly members: unknown; readonly faults: readonly string[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { members: input, faults: [] }
  const members = new Map<string, unknown>()
  const faults: string[] = []
  for (const [name, value] of Object.entries(input)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (members.has(snake)) faults.push(`${snake}: given twice`)
    members.set(snake, value)
  }
  return { members: Object.fromEntries(members), faults }
}

/** One sentence a fault; none repeats a value, because most values are secrets. */
export function faultsOf(error: z.ZodError | undefined): string[] {
  return error?.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`) ?? []
}
