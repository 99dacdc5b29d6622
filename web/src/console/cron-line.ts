/** Turns the form fields of a schedule into a cron expression. */

/** Values out of range are sent as they are, since the server's error explains them. */
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
