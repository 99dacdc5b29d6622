/** DIN and DPIN: eight digits, leading zeros significant, no check digit. */
import { bareIdentifier } from './bare-identifier.ts'

/** Parses a DIN as people and spreadsheets write it: `12345` and `12345.0` mean `00012345`. */
export function parseDin(text: string): string | undefined {
  const compact = bareIdentifier(text).replace(/\.0+$/, '')
  return /^\d{1,8}$/.test(compact) && Number(compact) > 0 ? compact.padStart(8, '0') : undefined
}
