import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockedPackages, sbomOf, sbomOfCheckout, shippedPackages } from '../../../scripts/sbom.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>
}

test('the bill of materials of this checkout names every package that ships, and none of development', {
  timeout: 60_000,
}, () => {
  const sbom = sbomOfCheckout()
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'panji' } } })
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`)
  expect(listed).toEqual(expect.arrayContaining(Object.entries(manifest.dependencies).map((each) => each.join('@'))))
  // What development and product both need is there: npm's own filter leaves it out.
  expect(listed.filter((each) => /^(pg-protocol|pg-types)@/.test(each))).toHaveLength(2)
  const names = new Set(sbom.components.map(({ name }) => name))
  const tools = [
    'vitest',
    'typescript',
    '@biomejs/biome',
    'fast-check',
    'playwright-core',
    'react',
    'vite',
    'openapi-fetch',
  ]
  expect(tools.filter((name) => names.has(name))).toEqual([])
  const refs = new Set(sbom.components.map((each) => each['bom-ref']))
  for (const { ref, dependsOn } of sbom.dependencies.filter(({ ref }) => refs.has(ref)))
    expect([ref, dependsOn.filter((each) => !refs.has(each))]).toEqual([ref, []])
})

test('a package ships where the product needs it, in the version that it finds', () => {
  const locked = {
    '': { dependencies: { shipped: '1' }, devDependencies: { tool: '1' } },
    client: { dependencies: { apart: '1' } },
    'node_modules/shipped': {
      version: '1.0.0',
      dependencies: { '@a/b': '2', both: '1' },
      peerDependencies: { peer: '1' },
    },
    'node_modules/shipped/node_modules/@a/b': { version: '2.0.0', optionalDependencies: { elsewhere: '1' } },
    'node_modules/@a/b': { version: '1.0.0' },
    'node_modules/both': {
      version: '1.0.0',
      peerDependencies: { tool: '1' },
      peerDependenciesMeta: { tool: { optional: true } },
    },
    'node_modules/peer': { version: '3.0.0', dependencies: { shipped: '1' } },
    'node_modules/tool': { version: '1.0.0', dependencies: { both: '1' } },
    'node_modules/apart': { version: '1.0.0' },
  }
  expect([...shippedPackages(locked)].toSorted()).toEqual(['@a/b@2.0.0', 'both@1.0.0', 'peer@3.0.0', 'shipped@1.0.0'])
})

test('a package that npm does not list is an error, and no list is written', () => {
  const component = { 'bom-ref': 'panji@1.0.0', name: 'checkout', version: '1.0.0', purl: 'pkg:npm/panji@1.0.0' }
  const told = { bomFormat: 'CycloneDX', metadata: { component }, components: [], dependencies: [] }
  expect(() => sbomOf(told, 'panji', new Set(['pg@8.0.0']))).toThrow('npm lists nothing for pg@8.0.0')
  expect(shippedPackages(lockedPackages()).size).toBeGreaterThan(100)
})
