/** The last visit, as remembered by this browser: new matches are counted from then on. */
const key = 'panji.home'
const weekMs = 7 * 24 * 3600 * 1000
/** A return within the hour counts as the same visit. */
const visitMs = 3600 * 1000

interface Visits {
  readonly before: string
  readonly latest: string
}

/** On the first visit, a week ago. */
export function lastVisit(now = new Date()): string {
  const known = stored()
  const isSame = known !== undefined && now.getTime() - Date.parse(known.latest) < visitMs
  const before = isSame ? known.before : (known?.latest ?? new Date(now.getTime() - weekMs).toISOString())
  try {
    localStorage.setItem(key, JSON.stringify({ before, latest: now.toISOString() }))
  } catch {
    // A browser that stores nothing gets the last week.
  }
  return before
}

function stored(): Visits | undefined {
  try {
    const { before, latest } = JSON.parse(localStorage.getItem(key) ?? '') as Partial<Visits>
    const isMoment = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text))
    return isMoment(before) && isMoment(latest) ? ({ before, latest } as Visits) : undefined
  } catch {
    return undefined
  }
}
