/**
 * Dirty files of every source, read and merged by the product and by an oracle that shares nothing with it: rows, rejects, counts,
 * history, partitions and reads of the past agree after each file. `test/oracle/README.md` says where they are known to differ. The
 * long run takes a thousand times one to three files of each source.
 */
import { describe, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { useDirtyFiles } from './use-dirty-files.ts'

const files = useDirtyFiles()

describe.each(sources)('files of $name', (source) => {
  test('are read and merged as the oracle reads and merges them', () => files.agree(source), 7_200_000)
})
