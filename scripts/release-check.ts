/**
 * `node scripts/release-check.ts [v0.2.0]`: reports what prevents a release of this checkout under its version, and
 * under the tag if one is given. Read-only; exits with 1 if there is a problem.
 */
import { readFileSync } from 'node:fs'
import { type Lockfile, unverifiedPackages } from './complete-lockfile.ts'

export interface Release {
  /** Of package.json. */
  readonly version: string
  /** Other places that contain the version, as [where, version]. */
  readonly named: readonly (readonly [string, string | undefined])[]
  /** In the form of Keep a Changelog. */
  readonly changelog: string
  /** Paths in package-lock.json without an integrity value. */
  readonly unverified: readonly string[]
  /** `v0.2.0`; undefined before it is created. */
  readonly tag: string | undefined
}

const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** @returns a sentence per problem; none if the release is ready. */
export function releaseFaults({ version, named, changelog, unverified, tag }: Release): string[] {
  const faults = named
    .filter(([, other]) => other !== version)
    .map(([where, other]) => `${where} names ${other ?? 'no version'}, package.json ${version}.`)
  if (tag !== undefined && tag !== `v${version}`) faults.push(`The tag is ${tag}, and should be v${version}.`)
  if (unverified.length > 0) {
    faults.push(
      `package-lock.json has no integrity for ${unverified.length} packages, ${unverified[0]} the first: run scripts/complete-lockfile.ts where the registry carries them.`,
    )
  }
  const sections = sectionsOf(changelog)
  const [unreleased, newest] = sections
  if (unreleased?.title !== '[Unreleased]') faults.push('CHANGELOG.md does not begin with a section [Unreleased].')
  else if (unreleased.entries > 0) faults.push('CHANGELOG.md holds lines under [Unreleased]; move them to the release.')
  const [, of, day] = /^\[(\d+\.\d+\.\d+(?:-[\w.]+)?)\] - (\S+)$/.exec(newest?.title ?? '') ?? []
  if (of !== version) return [...faults, `CHANGELOG.md has no section "## [${version}] - DAY" below [Unreleased].`]
  if (!isDay(day ?? '')) faults.push(`CHANGELOG.md gives ${version} the day ${day}; write YYYY-MM-DD.`)
  if (newest?.entries === 0) faults.push(`CHANGELOG.md says nothing under ${version}.`)
  return [...faults, ...oddKinds(sections)]
}

/** Headings that Keep a Changelog does not define. */
export function oddKinds(sections: readonly ChangelogSection[]): string[] {
  return sections.flatMap(({ title, kinds: used }) =>
    used.filter((kind) => !kinds.includes(kind)).map((kind) => `CHANGELOG.md has "### ${kind}" under ${title}.`),
  )
}

export interface ChangelogSection {
  readonly title: string
  readonly kinds: readonly string[]
  readonly entries: number
}

export function sectionsOf(changelog: string): ChangelogSection[] {
  const [, ...parts] = changelog.split(/^## /m)
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return {
      title: title.trim(),
      kinds: lines.flatMap((line) => (line.startsWith('### ') ? [line.slice(4).trim()] : [])),
      entries: lines.filter((line) => line.startsWith('- ')).length,
    }
  })
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The release as described by the files of this checkout. */
export function releaseOfCheckout(tag: string | undefined): Release {
  const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(text('package.json')) as { version: string }
  const lock = JSON.parse(text('package-lock.json')) as Lockfile
  const { workspaces } = JSON.parse(text('package.json')) as { workspaces: readonly string[] }
  const manifests = workspaces.map((folder) => `${folder}/package.json`)
  const image = /\$\{PANJI_IMAGE:-panji:([^}]+)\}/.exec(text('compose.yaml'))
  return {
    version,
    named: [
      ['package-lock.json', lock.packages['']?.version],
      ...manifests.map((path) => [path, (JSON.parse(text(path)) as { version: string }).version] as const),
      ['compose.yaml', image?.[1]],
    ],
    changelog: text('CHANGELOG.md'),
    unverified: unverifiedPackages(lock),
    tag,
  }
}

if (import.meta.main) {
  const release = releaseOfCheckout(process.argv[2])
  const faults = releaseFaults(release)
  for (const fault of faults) console.error(fault)
  if (faults.length === 0) console.log(`${release.version} may be released.`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
