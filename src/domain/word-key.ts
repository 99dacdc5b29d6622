/** The form in which spellings are compared: small letters without spaces and punctuation. Twin of ingest.word_key. */
export function wordKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ .,\-_()'/]/g, '')
    .replaceAll('&', 'and')
}
