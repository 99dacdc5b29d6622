#!/usr/bin/env node
// `npx panji` may be started by the machine's own Node; Panji itself runs on the Node 24 pinned in package.json.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const major = Number(process.versions.node.split('.')[0])

if (major >= 24) {
  await import(main)
} else {
  const pinned = ['../node_modules/node/bin/node', '../node_modules/.bin/node']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (!pinned) {
    process.stderr.write('panji: Node 24 is not installed here. Run `npm ci` in the Panji folder first.\n')
    process.exit(1)
  }
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
