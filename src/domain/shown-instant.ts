/** An instant for people in India: `2026-11-25 02:10:24 IST`. Programs get UTC. */
import { indianZone } from './iso-date.ts'

const inIndia = new Intl.DateTimeFormat('sv-SE', { timeZone: indianZone, dateStyle: 'short', timeStyle: 'medium' })

export const shownInstant = (instant: Date): string => `${inIndia.format(instant)} IST`
