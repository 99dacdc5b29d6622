// `postinstall`: the package `node` brings 64 MB of C++ headers beside its binary. Panji compiles nothing, so they go.
// Plain JavaScript of an old Node, since npm may run on another than the one it installs. Twice is as once.
import { readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const platforms = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'node_modules')
for (const name of entries(platforms)) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name))
    rmSync(join(platforms, name, 'include'), { recursive: true, force: true })
}

/** Where the install script of `node` was not run there is nothing to drop. */
function entries(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
