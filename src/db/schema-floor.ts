/**
 * The newest migration of the previous release (for the first release, its own). A program that knows it can work with
 * the migrations of this release, so it is also the oldest version that one can go back to. Each migration is recorded
 * with this floor when it is applied.
 *
 * Raised at every release (docs/shipping.md), and immediately for a migration that older programs cannot work with.
 */
export const schemaFloor = '0009_runtime.sql'
