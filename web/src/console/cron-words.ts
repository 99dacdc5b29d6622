/**
 * A cron expression in words: `30 2 * * 1-5` is “Monday to Friday at 02:30”. Expressions without a simple wording are
 * shown as they are.
 */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const shortDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = 'January February March April May June July August September October November December'.split(' ')

/** @returns undefined where there is no simple wording. */
export function cronWords(cron: string): string | undefined {
  const parts = cron.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  if (parts.length !== 5) return undefined
  if (hour === '*' && day === '*' && month === '*' && weekday === '*') return withinAnHour(minute)
  const every = /^\*\/(\d+)$/.exec(hour)?.[1]
  if (every && isNumber(minute) && day === '*' && month === '*' && weekday === '*')
    return `Every ${every} hours, ${minute} minutes past`
  if (!isNumber(minute) || !/^\d+(,\d+)*$/.test(hour)) return undefined
  const on = daysOf(day, month, weekday)
  return on && `${on} at ${listed(hour.split(',').map((each) => `${two(each)}:${two(minute)}`))}`
}

function withinAnHour(minute: string): string | undefined {
  if (minute === '*') return 'Every minute'
  const every = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (every) return `Every ${every} minutes`
  return isNumber(minute) ? `Every hour, ${minute} minutes past` : undefined
}

function daysOf(day: string, month: string, weekday: string): string | undefined {
  if (day === '*' && month === '*') return weekday === '*' ? 'Every day' : weekdaysOf(weekday)
  if (!isNumber(day) || weekday !== '*') return undefined
  if (month === '*') return `On day ${day} of each month`
  return isNumber(month) ? `On ${day} ${months[Number(month) - 1]} of each year` : undefined
}

function weekdaysOf(text: string): string | undefined {
  const range = text.split('-').map(dayNamed)
  if (range.length === 2) return range.includes(undefined) ? undefined : `${range[0]} to ${range[1]}`
  const names = text.split(',').map(dayNamed)
  return names.includes(undefined) ? undefined : `Every ${listed(names.filter((name) => name !== undefined))}`
}

const dayNamed = (text: string): string | undefined =>
  isNumber(text) ? days[Number(text)] : days[shortDays.indexOf(text.toLowerCase())]

const isNumber = (text: string): boolean => /^\d+$/.test(text)
const two = (text: string): string => text.padStart(2, '0')
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
