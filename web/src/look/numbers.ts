/** Numbers in Indian grouping: 12,34,567. */
const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })
const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 2 })

export const count = (value: number): string => whole.format(value)
export const money = (value: number): string => rupees.format(value)
/** A sum in paise, as rupees. */
export const paise = (value: number): string => rupees.format(value / 100)

/** `1.2 GiB`; below a KiB in bytes. */
export function bytes(value: number): string {
  const names = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(names.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10))
  return `${oneDecimal.format(value / 1024 ** step)} ${names[step]}`
}
const oneDecimal = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 1 })

/** `1 record`, `1,00,000 records`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`
