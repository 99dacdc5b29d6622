/** Messages for faults in the settings files of all connectors. */
import type { z } from 'zod'

/** One sentence per fault; none repeats a value, because most values are secrets. */
export function faultsOf(error: z.ZodError | undefined): string[] {
  return error?.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`) ?? []
}
