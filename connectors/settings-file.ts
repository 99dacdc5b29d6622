/** What the settings files of all connectors have in common: sentences for their faults. */
import type { z } from 'zod'

/** One sentence a fault; none repeats a value, because most values are secrets. */
export function faultsOf(error: z.ZodError | undefined): string[] {
  return error?.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`) ?? []
}
