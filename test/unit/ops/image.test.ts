/** What the image promises, as far as its text shows it; docs/shipping.md tells of a real build. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(text('package.json')) as { dependencies: Record<string, string>; files: string[] }
const dockerfile = text('Dockerfile')

describe('the image', () => {
  test('runs on the Node that package.json pins', () => {
    const images = [...dockerfile.matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version)
    expect(images).toEqual([
      manifest.dependencies['node'],
      manifest.dependencies['node'],
      manifest.dependencies['node'],
    ])
  })

  test('runs as nobody special and asks for no install script', () => {
    expect(dockerfile.match(/^USER (.*)$/gm)).toEqual(['USER 1000:1000'])
    for (const line of dockerfile.match(/npm ci .*/g) ?? []) expect(line).toContain('--ignore-scripts')
  })

  test('is built from listed files only, so that no secret of the folder gets in', () => {
    const lines = text('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines[0]).toBe('*')
    for (const [, sources = ''] of dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
      for (const source of sources.split(' ').filter((each) => each !== '.')) {
        expect(lines.some((line) => source === line.slice(1) || source.startsWith(`${line.slice(1)}/`))).toBe(true)
      }
    }
  })
})
