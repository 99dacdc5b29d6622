/** When somebody was here before, as this browser remembers it: what is new is told from then on. */
const key = 'panji.home'
const weekMs = 7 * 24 * 3600 * 1000
/** Who comes back within the hour is still here. */
const visitMs = 3600 * 1000

interface Visits {
  readonly before: string
  readonly latest: string
}

/** A week ago for whoever comes for the first time. */
export function lastVisit(now = new Date()): string {
  const known = stored()
  const isSame = known !== undefined && now.getTime() - Date.parse(known.latest) < visitMs
  const before = isSame ? known.before : (known?.latest ?? new Date(now.getTime() - weekMs).toISOString())
  try {
    localStorage.setItem(key, JSON.stringify({ before, latest: now.toISOString() }))
  } catch {
    // A browser that keeps nothing tells of the last week.
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
