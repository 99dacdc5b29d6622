/** What `panji --help` loads: neither the API, nor jobs, nor a CRM's library. Commands load those once they are asked for. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** Every file and package that is loaded with the file, by imports that stand at its top. */
function loadedWith(entry: URL): Set<string> {
  const loaded = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file; file = open.pop()) {
    if (loaded.has(file.href) || !existsSync(file)) continue
    loaded.add(file.href)
    for (const line of readFileSync(file, 'utf8').split(/^(?=import )/m)) {
      const [, type, target = ''] = /^import (type )?[^;]*?from '([^']+)'/.exec(line) ?? []
      if (type !== undefined || target === '') continue
      if (target.startsWith('.')) open.push(new URL(target, file))
      else loaded.add(target)
    }
  }
  return loaded
}

test('help and wrong usage load no API, no job, no connector and no library of theirs', () => {
  const loaded = [...loadedWith(new URL('src/main.ts', root))]
  expect(loaded.length).toBeGreaterThan(60)
  const inRepository = loaded.map((each) => each.replace(root.href, ''))
  expect(
    inRepository.filter((each) => /^(src\/api|jobs|connectors)\//.test(each) && each !== 'connectors/contract.ts'),
  ).toEqual([])
  for (const library of ['fastify', '@jsforce/jsforce-node', 'undici']) expect(inRepository).not.toContain(library)
})
