/** What every run of the program may print, whatever it was: one JSON document, or a fault in words. */
import { visible, visibleJson } from '../domain/visible.ts'

export const jsonText = (value: unknown): string => visibleJson(JSON.stringify(value, undefined, 2))

/** A fault, for people; standard error. */
export const faultText = (text: string): string => visible(text, '\n')
