/** Codes of goods and of services: registry facts, 2. */
import { Rejected, textOf } from './texts.ts'

const sections: readonly (readonly [string, number])[] = (
  'I 5,II 14,III 15,IV 24,V 27,VI 38,VII 40,VIII 43,IX 46,X 49,XI 63,XII 67,XIII 70,XIV 71,XV 83,XVI 85,XVII 89,XVIII 92,' +
  'XIX 93,XX 96,XXI 98'
)
  .split(',')
  .map((each): [string, number] => {
    const [section = '', last] = each.split(' ')
    return [section, Number(last)]
  })

export interface Tariff {
  readonly kind: string
  readonly code: string
  readonly chapter: number | null
  readonly section: string | null
}

/** A spreadsheet takes the zero before a code of goods, and leaves an odd number of digits. */
export function tariffOf(hsnCell: string | undefined, sacCell: string | undefined): Tariff {
  const [hsn, sac] = [hsnCell, sacCell].map((cell) => textOf(cell)?.replace(/\s/g, ''))
  if ((hsn === undefined) === (sac === undefined)) throw new Rejected('tariff_code_malformed')
  const told = hsn ?? sac ?? ''
  if (sac !== undefined) {
    if (!/^99(?:\d{2}|\d{4})?$/.test(told)) throw new Rejected('tariff_code_malformed')
    return { kind: 'sac', code: told, chapter: null, section: null }
  }
  const code = told.length % 2 === 1 ? `0${told}` : told
  const chapter = Number(code.slice(0, 2))
  if (!/^(?:\d{2}){1,4}$/.test(code)) throw new Rejected('tariff_code_malformed')
  const section = sections.find(([, last]) => chapter <= last)?.[0]
  if (section === undefined || chapter === 0) throw new Rejected('tariff_code_malformed')
  return { kind: 'hsn', code, chapter, section }
}
