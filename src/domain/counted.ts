/** `1 run`, `2 runs`, `1,20,000 records`. */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en-IN')} ${noun}${number === 1 ? '' : 's'}`
