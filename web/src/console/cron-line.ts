/** What a form says of a time table, as a line of cron. */

/** What is out of range goes to the server as it is: its sentence says so. */
export function cronOf({
  often: how,
  at = '',
  weekday = '',
  date = '',
  past = '',
  cron = '',
}: Readonly<Record<string, string>>): string {
  const [hour = '', minute = ''] = at.split(':').map((text) => String(Number(text)))
  switch (how) {
    case 'hour':
      return `${past} * * * *`
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'month':
      return `${minute} ${hour} ${date} * *`
    case 'cron':
      return cron
    default:
      return `${minute} ${hour} * * *`
  }
}
