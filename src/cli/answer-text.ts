/** Output common to all runs of the program: a JSON document, or a fault as text. */
import { visible, visibleJson } from '../domain/visible.ts'

export const jsonText = (value: unknown): string => visibleJson(JSON.stringify(value, undefined, 2))

/** A fault as text for people, on standard error. */
export const faultText = (text: string): string => visible(text, '\n')
