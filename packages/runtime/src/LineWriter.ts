/** Buffers lines and writes them in batches. */
export interface LineWriter {
  /** Queues a line and appends a newline. */
  readonly write: (line: string) => void
  /** Writes the queued lines immediately. */
  readonly flush: () => void
}

/**
 * Buffers lines until the current events are processed, or until 16 KiB are queued. One system call per line would be a
 * significant part of a request's cost. The owner must call `flush` before the process exits.
 */
export const lineWriter = (write: (text: string) => void): LineWriter => {
  let queued = ""
  let scheduled = false
  const flush = (): void => {
    if (queued === "") return
    const text = queued
    queued = ""
    write(text)
  }
  return {
    flush,
    write: (line) => {
      queued += `${line}\n`
      if (queued.length >= limit) return flush()
      if (scheduled) return
      scheduled = true
      setImmediate(() => {
        scheduled = false
        flush()
      })
    }
  }
}

const limit = 16 * 1024
