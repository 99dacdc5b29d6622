/** Invented names from syllables of our own, not derived from lists of real companies or persons. */
import type { Random } from './random.ts'

const list = (text: string): readonly string[] => text.split(' ')

const starts = list(
  'AARU BELVA CHANTO DEVRI ELANU FENVI GARUSH HIMVA INDRU JALVO KESTRI LORVA MANDRI NAVESH OJASTI PARVEN QUILVA RUDHA SARVEN TALVI UDVARA VARNI WENLA YASHVO ZORVI ABHRU BRISHA CHARVO DHANVI ESHVA GIRVA HARUVI ISHVO JYOVA KIRVA LAVYA MIRUVA NILVO OMVARA PRITHU RIVASH SUVRA TARUVI USHVA VIBHRU ZENVI',
)
const middles = list(
  'BA BE BI BO DA DE DI DO GA GE GI GO KA KE KI KO LA LE LI LO MA ME MI MO NA NE NI NO PA PE PI PO RA RE RI RO SA SE SI SO TA TE TI TO VA VE VI VO SHA SHE SHI CHA CHE CHI DRA DRI KSHA NTA NTI LVA',
)
const ends = list('N NA NTH NTRA R RA RIX S SH STI T TA TH TRIX VAN VEX X YA YAN ZEN')
const seconds = list(
  'NORTH BLUE PRIME SILVER UNITED MODERN COASTAL EASTERN GOLDEN CITY ROYAL GLOBAL GREEN UNIVERSAL CROWN NOVA ORBIT PEARL SUMMIT VALLEY DELTA HARBOUR MEADOW LANTERN COMPASS BEACON ANCHOR MOSAIC INDIGO CORAL',
)

const firstStarts = list(
  'Aav Bel Chir Dal Esh Far Gul Hes Ind Jal Kav Lur Mad Nev Oj Par Qas Rov Sel Tav Ush Vel Yav Zer',
)
const femaleEnds = list('ika ira isha anvi eeta oshi umi ela arna iva')
const maleEnds = list('esh indar ovan uren amit eth odar ivan antu orin')
const lastStarts = list(
  'Achr Bhel Chond Dhev Elk Ghat Hir Joshp Khar Lond Malv Nark Paln Ranv Sard Thak Uln Vard Wagh Yelv Zamb',
)
const lastEnds = list('ekar ola ani uri appa angi ovar eshi anda umari ilal ethan oji avle ikar')

/** `VARNIKSHARIX`: the word that distinguishes one company from another. */
export function coinedWord(random: Random): string {
  return random.pick(starts) + random.pick(middles) + random.pick(ends)
}

/** A company's name without its legal form. */
export function companyName(random: Random, coined: string, words: readonly string[]): string {
  const word = random.pick(words)
  const draw = random.unit()
  if (draw < 0.45) return `${coined} ${random.pick(seconds)} ${word}`
  if (draw < 0.85) return `${coined} ${word}`
  if (draw < 0.93) return `${coined} AND ${random.pick(starts)} ${word}`
  return `${coined} ${random.pick(seconds)} ${word} AND ${random.pick(seconds)} VENTURES`
}

export interface PersonName {
  readonly first: string
  readonly middle: string
  readonly last: string
  readonly gender: 'Male' | 'Female'
}

export function personName(random: Random): PersonName {
  // Two thirds of newly issued DINs go to men.
  const gender = random.chance(0.67) ? 'Male' : 'Female'
  const given = () => random.pick(firstStarts) + random.pick(gender === 'Male' ? maleEnds : femaleEnds)
  return {
    first: given().toUpperCase(),
    middle: random.chance(0.3) ? given().toUpperCase() : '',
    last: (random.pick(lastStarts) + random.pick(lastEnds)).toUpperCase(),
    gender,
  }
}

/** Letters with accents occur rarely and must survive. */
export function accented(name: string): string {
  return name.replace(/[AE]/, (letter) => (letter === 'A' ? 'Á' : 'É'))
}

/** A name cut by the registrar's old form: with a space after the 40th character. */
export function brokenAt40(name: string): string {
  return `${name.slice(0, 40)} ${name.slice(40)}`
}

/** The trace of a curly quote that was decoded twice: U+FFFD and the literal text of its last two bytes. */
export const mangledQuote = '\uFFFDx80x99'
