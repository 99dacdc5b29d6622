/** Bytes that were read to see what a file is, and then all that follows them. */
export async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await rest.next()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // A run that stops early closes the file behind it.
    await rest.return?.()
  }
}
