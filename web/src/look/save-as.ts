/** Saves a blob through the browser's downloads. */
export function saveAs(content: unknown, name: string): void {
  if (!(content instanceof Blob)) throw new TypeError('a file is read as a blob')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
