/** The real snapshots, which are never committed. Where they are missing, their tests are skipped with a message. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const sharedFolder = resolve(process.env['PANJI_SHARED_DIR'] ?? join(root, '..', 'shared'))
const folder = join(sharedFolder, 'data')

/** `test` where the named files of the shared data exist, otherwise a skipped test with the reason printed. */
export function testWithSharedData(...names: string[]): typeof test | typeof test.skip {
  const missing = names.filter((name) => !existsSync(join(folder, name)))
  if (missing.length === 0) return test
  console.log(
    `skipped: ${missing.join(', ')} not found in ${folder}; set PANJI_SHARED_DIR to the shared folder to run these cases`,
  )
  return test.skip
}

export function sharedFile(name: string): string {
  return join(folder, name)
}
