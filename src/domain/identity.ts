/** The three kinds of record that Panji sells and delivers. */
export const entityTypes = ['company', 'director', 'gst'] as const
export type EntityType = (typeof entityTypes)[number]

/** One record of a type, as a sentence names it. */
export const recordWords: Readonly<Record<EntityType, string>> = {
  company: 'company',
  director: 'director',
  gst: 'GST registration',
}

/** Identity in every CRM: `company:U85100GA2022PTC015629`, `director:00012345`, `gst:27AAACR5055K1Z7`. */
export function externalIdOf(type: EntityType, identifier: string): string {
  return `${type}:${identifier}`
}

/** The identifier in such an identity; any other text as it is. */
export const identifierIn = (externalId: string): string => externalId.replace(/^(?:company|director|gst):/, '')
