/** As Indians read it: `12,34,567`. */
export const grouped = (number: number): string => number.toLocaleString('en-IN')

/** `1 run`, `2 runs`, `1,20,000 records`, `3 matches`. */
export const counted = (number: number, noun: string, many = `${noun}s`): string =>
  `${grouped(number)} ${number === 1 ? noun : many}`
