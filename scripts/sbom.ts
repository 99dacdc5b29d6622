/**
 * `npm run sbom`: writes the package's dependencies as CycloneDX to `panji-VERSION.cdx.json`. npm lists every package
 * of the lock file; only those that an installation of the package has are kept. npm's own `--omit=dev` does not help:
 * it also leaves out what development and product both need.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
}

export interface Sbom {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

type Names = Readonly<Record<string, unknown>>

interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** `packages` of package-lock.json; the key of the checkout itself is empty. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

const root = fileURLToPath(new URL('../', import.meta.url))
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** @returns `name@version` of everything installed with the package, starting from the folders of its parts. */
export function shippedPackages(locked: LockedPackages): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (path: string) => {
    for (const name of namesWanted(locked[path])) {
      const place = placeOf(locked, path, name)
      // An optional part for another platform may be missing from the lock file.
      if (place === undefined || found.has(place)) continue
      found.add(place)
      walk(place)
    }
  }
  walk('')
  const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return new Set([...found].map((place) => `${nameOf(place)}@${locked[place]?.version}`))
}

function namesWanted({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: LockedPackage = {}) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

/** Resolved like in Node: in the package's own folder, then in each parent. */
function placeOf(locked: LockedPackages, path: string, name: string): string | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at}${at === '' ? '' : '/'}node_modules/${name}`
    if (locked[place]) return place
    if (at === '') return undefined
  }
}

/** npm's entries for the packages that ship. @throws if one of them is missing. */
export function sbomOf(inventory: Sbom, name: string, shipped: ReadonlySet<string>): Sbom {
  const components = inventory.components.filter((each) => shipped.has(`${each.name}@${each.version}`))
  const listed = new Set(components.map((each) => `${each.name}@${each.version}`))
  const missing = [...shipped].filter((each) => !listed.has(each))
  if (missing.length > 0) throw new Error(`npm lists nothing for ${missing.join(', ')}`)
  const { component } = inventory.metadata
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  return {
    ...inventory,
    // npm uses the name of the folder.
    metadata: { ...inventory.metadata, component: { ...component, name } },
    components,
    dependencies: inventory.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
}

export function sbomOfCheckout(): Sbom {
  const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const maxBuffer = 64 * 1024 * 1024
  const { status, stdout, stderr } = spawnSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer })
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`)
  const { name } = readJson('package.json') as { name: string }
  return sbomOf(JSON.parse(stdout) as Sbom, name, shippedPackages(lockedPackages()))
}

export const lockedPackages = (): LockedPackages =>
  (readJson('package-lock.json') as { packages: LockedPackages }).packages

if (import.meta.main) {
  const sbom = sbomOfCheckout()
  const file = `panji-${sbom.metadata.component.version}.cdx.json`
  writeFileSync(join(root, file), `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`${file}: ${sbom.components.length} packages`)
}
