/** Which imports are evaluated: those that affect queries of standing orders or delivered leads. */
import type { Source } from '../../../config/sources/source.ts'
import type { EntityType } from '../../domain/identity.ts'

const evaluated = new Set(['company', 'gst', 'contact', 'director', 'directorship'])

export const isEvaluated = ({ entity }: Source): boolean => evaluated.has(entity)

/** The job's payload. */
export function evaluationOf(source: Source, runId: number): { readonly runId: number; readonly entity?: EntityType } {
  return { runId, ...(source.feed && { entity: source.feed.dataset }) }
}
