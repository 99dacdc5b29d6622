/** The five stops of the tour: address, text, and what leads on. The last ends at a lead in a sandbox CRM. */

export interface Stop {
  /** The address of the stop, as the page's path. */
  readonly at: (path: string) => boolean
  /** A link that leads there from any other page; undefined where the previous stop's own button leads there. */
  readonly href?: string
  readonly title: string
  readonly says: string
}

const example = 'private companies in Goa with capital above 5 lakh'

export const stops: readonly Stop[] = [
  {
    at: (path) => path === '/',
    href: '/',
    title: 'Home',
    says: 'What is new for you, the leads that were delivered, the credits that are left, and what your plan opens.',
  },
  {
    at: (path) => path === '/search',
    href: '/search',
    title: 'Search',
    says: `Say what you are looking for, such as “${example}”. What was understood becomes a filter.`,
  },
  {
    at: (path) => path === '/feeds',
    href: '/feeds',
    title: 'Buy leads',
    says: 'The newest registrations. Press “Choose all on this page”, then “Buy”: the price is shown first, and records that cannot be reached are free.',
  },
  {
    at: (path) => path.startsWith('/orders/'),
    title: 'Your leads',
    says: 'Each lead with its contacts. They are on their way into your sandbox CRMs already: press “Its deliveries”.',
  },
  {
    at: (path) => path === '/deliveries',
    title: 'In the CRM',
    says: 'One row for each lead and CRM. Press “Open in …” next to one to open its record in the sandbox CRM.',
  },
]

/**
 * @param reached index of the stop reached so far.
 * @returns the stop to show at the path: the next one if its page was opened, otherwise the same one.
 */
export function stopAt(path: string, reached: number): number {
  return stops[reached + 1]?.at(path) === true ? reached + 1 : reached
}
