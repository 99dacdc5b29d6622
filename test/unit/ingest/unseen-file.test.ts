/** A path that somebody sees and the worker does not: under systemd the worker has a /tmp of its own. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locateFile } from '../../../src/ingest/input/local-file.ts'

test('a file that cannot be opened is reported with the user who opens it', async () => {
  await expect(locateFile(join(tmpdir(), 'panji-nothing-is-here.csv'), 1)).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringMatching(/cannot be opened: there is no such file\. The worker opens it, as its own user/),
  })
})

test('a name that is not UTF-8 is reported as such, since no program shows it as stored', async () => {
  await expect(locateFile(join(tmpdir(), 'panji-Ernakulam-\uFFFD.csv'), 1)).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringMatching(/cannot be opened: its name is not UTF-8; rename it\.$/),
  })
})
