/** Buffers lines and writes them in batches. */
export interface LineWriter {
  /** Queues a line and appends a newline. */
  readonly write: (line: string) => void
  /** Writes the queued lines immediately. */
  readonly flush: () => void
}

/**
 * Buffers lines until the end of the current event loop turn, or until 16 KiB are queued. One system call per line
 * would be a significant part of a request's cost. The owner must call `flush` before the process exits.
 */
export const makeLineWriter = (write: (text: string) => void): LineWriter => {
  let queuedText = ""
  let isScheduled = false
  const flush = (): void => {
    if (queuedText === "") return
    const text = queuedText
    queuedText = ""
    write(text)
  }
  return {
    flush,
    write: (line) => {
      queuedText += `${line}\n`
      if (queuedText.length >= limit) return flush()
      if (isScheduled) return
      isScheduled = true
      setImmediate(() => {
        isScheduled = false
        flush()
      })
    }
  }
}

const limit = 16 * 1024
