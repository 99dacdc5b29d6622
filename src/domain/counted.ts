/** `1 run`, `2 runs`, `1,20,000 records`, `3 matches`. */
export const counted = (number: number, noun: string, many = `${noun}s`): string =>
  `${number.toLocaleString('en-IN')} ${number === 1 ? noun : many}`
