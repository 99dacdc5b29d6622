/** The collector to try, as the shell and its reader find it; test/story/traces.test.ts runs it where it is compiled. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runTool } from '../../support/machine-tool.ts'

const folder = fileURLToPath(new URL('../../../ops/otel/', import.meta.url))
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

test('build.sh is a script that a POSIX shell reads', () => {
  expect(runTool('sh', ['-n', `${folder}build.sh`])).toEqual({ code: 0, printed: '' })
})

test('nothing of it listens beyond this machine', () => {
  for (const name of readdirSync(folder)) {
    expect([name, textOf(name).match(/0\.0\.0\.0|\[::\]/)]).toEqual([name, null])
  }
  expect(textOf('collector.yaml')).toContain(':-127.0.0.1:4318}')
})

test('what its configuration names is compiled in', () => {
  const program = textOf('main.go')
  for (const name of ['otlpreceiver', 'debugexporter', 'otlphttpexporter', 'fileprovider', 'envprovider']) {
    expect(program).toContain(`${name}.NewFactory()`)
  }
  expect(textOf('collector.yaml')).toMatch(/receivers: \[otlp\]\n +exporters: \[debug\]/)
})
