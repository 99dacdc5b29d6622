/**
 * The form in which spellings are compared: lower case without spaces, punctuation and zero-width characters. SQL
 * twin: ingest.word_key.
 */
export function wordKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ .,\-_()'/\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, '')
    .replaceAll('&', 'and')
}
