// `postinstall`: what packages bring and Panji never loads goes: 64 MB of C++ headers beside Node's binary, and of some
// libraries the builds for browsers and old systems with their source maps and sources, 18 MB.
// Plain JavaScript of an old Node, since npm may run on another than the one it installs. Twice is as once.
import { readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const node = dirname(createRequire(import.meta.url).resolve('node/package.json'))
for (const name of entries(join(node, 'node_modules'))) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) drop(node, 'node_modules', name, 'include')
}

const packages = dirname(node)
for (const [folder, isUnused] of [
  ['libphonenumber-js', /^bundle$/],
  ['luxon/build', /^(amd|cjs-browser|global)$/],
  ['pdfkit/js', /browser|standalone|\.old\.|\.map$/],
  ['fontkit/dist', /^browser|\.map$/],
  ['zod', /^src$/],
]) {
  for (const name of entries(join(packages, folder))) if (isUnused.test(name)) drop(packages, folder, name)
}

function drop(...path) {
  rmSync(join(...path), { recursive: true, force: true })
}

/** Where a package was not installed, or its install script not run, there is nothing to drop. */
function entries(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
