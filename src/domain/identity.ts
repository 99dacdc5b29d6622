/** The three kinds of record that Panji sells and delivers. */
export const entityTypes = ['company', 'director', 'gst'] as const
export type EntityType = (typeof entityTypes)[number]

/** Identity in every CRM: `company:U85100GA2022PTC015629`, `director:00012345`, `gst:27AAACR5055K1Z7`. */
export function externalIdOf(type: EntityType, identifier: string): string {
  return `${type}:${identifier}`
}
