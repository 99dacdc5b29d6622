/** Days as files write them: a column has a habit, and now and then a cell has another. */
import fc from 'fast-check'

export type Habit = (year: string, month: string, day: string) => string

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const named = (month: string) => monthNames[Number(month) - 1] ?? 'Jan'
const bare = (number: string) => String(Number(number))

const iso: Habit = (year, month, day) => `${year}-${month}-${day}`
const habits: readonly Habit[] = [
  iso,
  (year, month, day) => `${year}-${month}-${day} 00:00:00`,
  (year, month, day) => `${day}/${month}/${year}`,
  (year, month, day) => `${bare(day)}-${month}-${year}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day) => `${day}-${named(month)}-${year}`,
  (year, month, day) => `${named(month)} ${bare(day)}, ${year}`,
]
/** Those with a slash leave open which of day and month stands first, and are drawn as often as all others. */
export const habit: fc.Arbitrary<Habit> = fc.constantFrom(...habits, ...habits.slice(2, 5))

/** Of these alone no order of day and month is told: two readings, or none at all. */
const vagueDays = ['2020-03-04', '2024-12-05', '2020-02-31']

/**
 * A day, or one that no calendar has, and where the cell departs from its column the habit of its own; in a vague column, one of
 * `vagueDays`.
 */
export const dateCell: fc.Arbitrary<(habit: Habit, isVague: boolean) => string> = fc
  .record({
    day: fc.oneof(
      {
        weight: 20,
        arbitrary: fc.constantFrom('2019-05-25', '2020-01-31', '2020-03-04', '2023-11-12', '2004-02-29', '2024-12-05'),
      },
      { weight: 1, arbitrary: fc.constantFrom('2020-02-31', '2021-02-29') },
      { weight: 2, arbitrary: fc.constant('') },
    ),
    vague: fc.constantFrom(...vagueDays),
    own: fc.option(habit, { freq: 30 }),
  })
  .map(({ day, vague, own }) => (usual: Habit, isVague: boolean) => {
    const [year, month, of] = (isVague ? vague : day).split('-')
    return year && month && of ? ((!isVague && own) || usual)(year, month, of) : ''
  })
