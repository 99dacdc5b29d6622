import { describe, expect, test } from 'vitest'
import { oddKinds, type Release, releaseFaults, releaseOfCheckout, sectionsOf } from '../../../scripts/release-check.ts'

const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-02-28\n\n### Added\n\n- A thing.\n'
const good: Release = {
  version: '1.2.0',
  named: [['client/package.json', '1.2.0']],
  changelog,
  unverified: [],
  tag: 'v1.2.0',
}

describe('a release', () => {
  test('may be made when version, tag and changelog agree, and before the tag is there', () => {
    expect(releaseFaults(good)).toEqual([])
    expect(releaseFaults({ ...good, tag: undefined })).toEqual([])
  })

  test.each<readonly [string, Partial<Release>, RegExp]>([
    ['a tag of another version', { tag: 'v1.3.0' }, /tag is v1\.3\.0/],
    ['a tag without its v', { tag: '1.2.0' }, /should be v1\.2\.0/],
    [
      'another version of the client',
      { named: [['client/package.json', '1.1.0']] },
      /client\/package\.json names 1\.1\.0/,
    ],
    [
      'a version that the changelog lacks',
      { version: '1.3.0', named: [], tag: 'v1.3.0' },
      /no section "## \[1\.3\.0\]/,
    ],
    ['a package without integrity', { unverified: ['node_modules/a'] }, /no integrity for 1 packages, node_modules\/a/],
    ['a day that is none', { changelog: changelog.replace('02-28', '02-30') }, /2026-02-30/],
    ['a section without lines', { changelog: changelog.replace('- A thing.', '') }, /says nothing under 1\.2\.0/],
    [
      'lines that are left unreleased',
      { changelog: changelog.replace('[Unreleased]\n', '[Unreleased]\n\n### Fixed\n\n- A hole.\n') },
      /lines under \[Unreleased\]/,
    ],
    [
      'a changelog without a place for what comes',
      { changelog: changelog.replace('## [Unreleased]\n\n', '') },
      /begin with/,
    ],
    ['a heading that Keep a Changelog does not know', { changelog: changelog.replace('Added', 'News') }, /### News/],
  ])('is refused for %s', (_what, part, fault) => {
    expect(releaseFaults({ ...good, ...part })).toContainEqual(expect.stringMatching(fault))
  })
})

test('every place of this checkout that names the version names the same one', () => {
  const { version, named } = releaseOfCheckout(undefined)
  expect(named).toEqual(named.map(([where]) => [where, version]))
})

test('the changelog of this checkout is in the form of Keep a Changelog', () => {
  const sections = sectionsOf(releaseOfCheckout(undefined).changelog)
  expect(sections[0]?.title).toBe('[Unreleased]')
  expect(oddKinds(sections)).toEqual([])
})
