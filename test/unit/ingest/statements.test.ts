/** The statements of every source lie beside this test, so that a reviewer sees what a change of a declaration does. */
import { expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { statementsForReview } from '../../../src/ingest/conduct/statements-for-review.ts'

test.each(sources.map((source) => [source.name, source] as const))(
  'the statements of %s are those of its golden file (else look at the difference, then: vitest -u)',
  async (name, source) => {
    await expect(statementsForReview(source)).toMatchFileSnapshot(`statements/${name}.sql`)
  },
)
