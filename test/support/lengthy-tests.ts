/**
 * Unit tests that take seconds: they run other programs, write megabytes, generate code or measure. `npm run check`
 * leaves them to `npm test`, so that it stays quick enough for every commit.
 */
export const lengthyTests = [
  'test/unit/cli/bounded-heap.test.ts',
  'test/unit/cli/compiled-cache.test.ts',
  'test/unit/cli/logs.test.ts',
  'test/unit/connectors/bulk-job.test.ts',
  'test/unit/sandboxes/records.test.ts',
  'test/unit/sandboxes/zoho.test.ts',
  'test/unit/house/client-types.test.ts',
  'test/unit/house/linear-expressions.test.ts',
  'test/unit/leads/exports.test.ts',
  'test/unit/ops/*.test.ts',
  'test/unit/orders/invoice-pdf.test.ts',
  'test/unit/orders/invoice-rules.test.ts',
  'test/unit/sample/*.test.ts',
  'test/unit/scripts/new.test.ts',
]
