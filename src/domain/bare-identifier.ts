/** Normalizes an identifier before it is parsed; ingest.bare_identifier does the same for the cells of a file. */
import { asciiForm } from './ascii-form.ts'

const signs = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+|^=?["']|"$/g

/**
 * The identifier in capitals and ASCII digits, without blanks and zero-width characters, which are copied along from
 * web pages, and without the marks that keep a spreadsheet from reading it as a number: `="00012345"`, `'00012345`.
 */
export const bareIdentifier = (text: string): string => asciiForm(text).replaceAll(signs, '').toUpperCase()
