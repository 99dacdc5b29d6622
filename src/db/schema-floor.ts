/**
 * The newest migration of the release before, for the first release its own: a program that knows it works beside the migrations of
 * this release, and so is the way back from it. Each migration is written down with this floor as it is applied.
 *
 * Raised at every release (docs/shipping.md), and at once to a migration that programs before it cannot live beside.
 */
export const schemaFloor = '0009_runtime.sql'
