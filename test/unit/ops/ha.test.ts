/** The example of a cluster, as the shell, HAProxy and Patroni read it; test/faults/killed-primary.test.ts runs it. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hasTool, runTool } from '../../support/machine-tool.ts'

const folder = fileURLToPath(new URL('../../../ops/ha/', import.meta.url))
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

test.each(readdirSync(folder).filter((name) => name.endsWith('.sh')))(
  '%s is a script that a POSIX shell reads',
  (name) => {
    expect(runTool('sh', ['-n', `${folder}${name}`])).toEqual({ code: 0, printed: '' })
  },
)

test('nothing of it listens beyond this machine', () => {
  for (const name of readdirSync(folder)) {
    expect([name, textOf(name).match(/0\.0\.0\.0|\[::\]|bind "?\*|bind "?:/)]).toEqual([name, null])
  }
})

test('the lease of a primary leaves time for a retry, or a slow answer of etcd would end it', () => {
  const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map((name) =>
    Number(new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(textOf('patroni.yml'))?.[1]),
  )
  expect((wait ?? Number.NaN) + 2 * (retry ?? Number.NaN)).toBeLessThanOrEqual(ttl ?? Number.NaN)
})

describe.skipIf(!hasTool('haproxy', 'haproxy'))('HAProxy', () => {
  test('reads its file, and finds both addresses in it', () => {
    const names = [...textOf('haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
    const ports = [...new Set(names)].map((name, place) => `${name}=${15_002 + place}`)
    const { code, printed } = runTool('env', [...ports, 'haproxy', '-c', '-f', `${folder}haproxy.cfg`])
    expect([code, printed]).toEqual([0, expect.stringContaining('Configuration file is valid')])
  })
})
