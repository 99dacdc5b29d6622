/** One line, whatever a CRM or a customer named something. */
export const oneLine = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
