/** The bytes that were read to detect a file's format, followed by the rest. */
export async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await rest.next()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // If the consumer stops early, this closes the file.
    await rest.return?.()
  }
}
