/**
 * Statuses, in the words of config/vocabularies.ts, of records that are no longer in business or in office, so there is
 * nobody to sell to. Those still in the process (being struck off, in liquidation, suspended) are not included. Data,
 * not code.
 */
import type { EntityType } from '../src/domain/identity.ts'
import type { vocabularies } from './vocabularies.ts'

export const inactiveStatuses = {
  company: [
    'Struck Off',
    'Struck Off - Awaiting Publication',
    'Amalgamated',
    'Converted to LLP',
    'Converted to LLP and Dissolved',
    'Liquidated',
    'Dissolved',
    'Dissolved (Liquidated)',
    'Dissolved under section 59(8)',
    'Vanished',
  ],
  /** Disqualified directors count as inactive, too. */
  director: ['Deactivated', 'Disabled', 'Inactive', 'Lapsed', 'Rejected', 'Surrendered'],
  gst: ['Cancelled', 'Inactive'],
} as const satisfies {
  readonly [Type in EntityType]: readonly (keyof (typeof vocabularies)[`${Type}-status`])[]
}
