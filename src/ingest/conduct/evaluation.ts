/** Which imports standing orders are asked about: those of what their queries read. */
import type { Source } from '../../../config/sources/source.ts'
import type { EntityType } from '../../domain/identity.ts'

const asked = new Set(['company', 'gst', 'contact'])

export const asksStanding = ({ entity }: Source): boolean => asked.has(entity)

/** What the job is given. */
export function evaluationOf(source: Source, runId: number): { readonly runId: number; readonly entity?: EntityType } {
  return { runId, ...(source.feed && { entity: source.feed.dataset }) }
}
