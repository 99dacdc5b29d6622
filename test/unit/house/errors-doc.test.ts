import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeErrorCodes, renderErrorCodes } from '../../../scripts/render-error-codes.ts'
import { renderErrorPage } from '../../../scripts/render-error-page.ts'
import { errorCodes } from '../../../src/errors.ts'

const root = new URL('../../../', import.meta.url)
const source = readFileSync(new URL('src/errors.ts', root), 'utf8')

describe('the error codes', () => {
  test('stand in docs/errors.md exactly as src/errors.ts describes them (else: npm run docs)', () => {
    expect(readFileSync(new URL('docs/errors.md', root), 'utf8')).toBe(renderErrorCodes(source))
  })

  test('stand on the page that doc_url names, each under its own anchor (else: npm run docs)', () => {
    const page = readFileSync(new URL('src/api/error-page.html', root), 'utf8')
    expect(page).toBe(renderErrorPage(source))
    expect(Object.keys(errorCodes).filter((code) => !page.includes(`<section id="${code}">`))).toEqual([])
  })

  test('each have a meaning that is a sentence and a status that HTTP knows as an error', () => {
    const described = describeErrorCodes(source)
    expect(described.map(({ code }) => code)).toEqual(Object.keys(errorCodes))
    for (const { meaning, httpStatus } of described) {
      expect(meaning).toMatch(/^[A-Z].{10,}\.$/)
      expect(httpStatus).toBeGreaterThanOrEqual(400)
      expect(httpStatus).toBeLessThan(600)
    }
  })

  test('without a doc comment are noticed', () => {
    expect(() => describeErrorCodes(source.replace(/\/\*\* An internal error\.[^\n]*\n/, ''))).toThrow(
      'INTERNAL has no doc comment',
    )
  })
})
