/**
 * The other countries of the world, in the spellings that are recognized: the English names and two-letter codes of
 * the runtime, and what else is common in addresses. The letters of a state of India are not among the codes, nor is
 * `NA`, which mostly says that nothing is known.
 */
import { states } from './states.ts'

interface Country {
  readonly name: string
  readonly spellings: readonly string[]
}

const more: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Dubai'],
  CD: ['Democratic Republic of the Congo', 'Congo'],
  CI: ['Ivory Coast'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  KR: ['Korea', 'Republic of Korea'],
  MM: ['Burma'],
  NL: ['Holland', 'The Netherlands'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  TR: ['Turkey'],
  US: ['USA', 'United States of America', 'America'],
  VN: ['Viet Nam'],
}
const notAbroad = new Set(['IN', 'EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])
const notCodes = new Set(['NA', ...states.flatMap(({ letters }) => letters)])
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const long = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const short = new Intl.DisplayNames('en', { type: 'region', fallback: 'none', style: 'short' })

const inAscii = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace('’', "'")
    .replace(/^St\. /, 'Saint ')

export const countries: readonly Country[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .flatMap((code) => {
    const name = long.of(code)
    if (name === undefined || notAbroad.has(code)) return []
    const names = [name, short.of(code) ?? name, ...(more[code] ?? [])]
    const codes = notCodes.has(code) ? [] : [code]
    return [{ name, spellings: [...codes, ...names.flatMap((each) => [each, inAscii(each)])] }]
  })
