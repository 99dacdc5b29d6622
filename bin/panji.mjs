#!/usr/bin/env node
// `npx panji` may be started by the machine's own Node; Panji itself runs on the Node 24 pinned in package.json.
// A checkout runs its TypeScript; a package carries the JavaScript made from it, since Node strips no types in node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const main = ['../src/main.ts', '../dist/src/main.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path))
const major = Number(process.versions.node.split('.')[0])

const cache = cacheFolder()

if (!main) {
  fail('this folder holds neither src/main.ts nor dist/. Install the package again.')
} else if (major >= 24) {
  if (cache) nodeModule.enableCompileCache?.(cache)
  await import(pathToFileURL(main).href)
} else {
  const pinned = pinnedNode()
  if (!pinned) {
    fail(
      'Node 24 is not installed here. Run `npm ci` (a package: `npm install` with its install scripts allowed), or start Panji with a Node 24 of the machine.',
    )
  } else {
    const child = spawn(pinned, [main, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...(cache && { NODE_COMPILE_CACHE: cache }), ...process.env },
    })
    // As in src/main.ts: the shell of `npx` dies of a signal and does not pass it on.
    const starter = process.ppid
    const watch = setInterval(() => process.ppid !== starter && stopBy('SIGTERM'), 1_000).unref()
    const stopBy = (signal) => {
      clearInterval(watch)
      child.kill(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopBy(signal))
    child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
  }
}

/**
 * What was compiled is kept for the next command, in the user's own cache: a folder that others share is none to run
 * from. Without a home there is none, as for a uid without an account.
 */
function cacheFolder() {
  const { XDG_CACHE_HOME: named = '' } = process.env
  try {
    const folder = isAbsolute(named) ? named : join(homedir(), '.cache')
    return isAbsolute(folder) ? join(folder, 'panji', 'compiled') : undefined
  } catch {
    return undefined
  }
}

/** Beside this package or above it, wherever npm put the package `node`. */
function pinnedNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    return ['bin/node', 'bin/node.exe'].map((path) => join(folder, path)).find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

function fail(reason) {
  process.stderr.write(`panji: ${reason}\n`)
  process.exitCode = 1
}
