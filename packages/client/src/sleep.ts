/** Waits, or rejects with the signal's reason if the signal is aborted first. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp)
      resolve()
    }, milliseconds)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener("abort", giveUp, { once: true })
  })
