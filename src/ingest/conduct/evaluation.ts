/** Which imports are evaluated: those of what queries of standing orders read, and of what delivered leads say. */
import type { Source } from '../../../config/sources/source.ts'
import type { EntityType } from '../../domain/identity.ts'

const asked = new Set(['company', 'gst', 'contact', 'director', 'directorship'])

export const isEvaluated = ({ entity }: Source): boolean => asked.has(entity)

/** What the job is given. */
export function evaluationOf(source: Source, runId: number): { readonly runId: number; readonly entity?: EntityType } {
  return { runId, ...(source.feed && { entity: source.feed.dataset }) }
}
