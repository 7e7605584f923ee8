// One tab of a browser listens for all of them: over HTTP/1.1 a browser has six connections to a host, and a seventh tab
// with a stream of its own would never load. Where a browser has no locks, which it has on https and localhost alone,
// each tab that is seen listens by itself.

export type State = "live" | "lost"

interface Told {
  readonly head?: number | undefined
  readonly state?: State | undefined
  /** Somebody new wants to know. */
  readonly asks?: true
}

/** What is told to a tab, whoever listened. */
export interface Listener {
  readonly onHead: (head: number) => void
  readonly onState: (state: State) => void
  /** The stream cannot be opened, maybe because nobody is signed in any more. */
  readonly onRefused: () => void
}

const mostMs = 30_000
/** A stream is opened anew every half an hour, which is nothing to worry anybody with. */
const unnoticedMs = 2000

/** Some time around so many milliseconds, so that all the tabs of all browsers do not come back at once. */
const around = (ms: number): number => ms * (0.5 + Math.random())

export class SharedEventSource {
  readonly #address: string
  readonly #ear: Listener
  #channel: BroadcastChannel | undefined
  #stream: EventSource | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  #worry: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #head: number | undefined
  #state: State | undefined
  #release: (() => void) | undefined
  #waiting: AbortController | undefined

  constructor(address: string, ear: Listener) {
    this.#address = address
    this.#ear = ear
  }

  begin(): void {
    if (this.#channel !== undefined) return
    const channel = new BroadcastChannel(`trailbook ${this.#address}`)
    this.#channel = channel
    channel.addEventListener("message", ({ data }: MessageEvent<Told>) => {
      if (data.asks !== undefined && this.#release !== undefined) this.#tell({ head: this.#head, state: this.#state })
      if (data.state !== undefined) this.#ear.onState(data.state)
      if (data.head !== undefined) this.#ear.onHead(data.head)
    })
    const waiting = new AbortController()
    this.#waiting = waiting
    const lead = () =>
      new Promise<void>((resolve) => {
        this.#release = resolve
        if (waiting.signal.aborted) resolve()
        else this.#open()
      })
    // Others may be listening already.
    this.#tell({ asks: true })
    if (navigator.locks === undefined) void lead()
    else navigator.locks.request(`trailbook ${this.#address}`, { signal: waiting.signal }, lead).catch(() => {})
  }

  end(): void {
    this.#waiting?.abort()
    clearTimeout(this.#again)
    clearTimeout(this.#worry)
    this.#worry = undefined
    this.#stream?.close()
    this.#stream = undefined
    this.#channel?.close()
    this.#channel = undefined
    this.#release?.()
    this.#release = undefined
    this.#failures = 0
  }

  #open(): void {
    const stream = new EventSource(this.#address)
    this.#stream = stream
    stream.addEventListener("open", () => {
      this.#failures = 0
      clearTimeout(this.#worry)
      this.#worry = undefined
      this.#be("live")
    })
    stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
      this.#head = Number(data)
      this.#tell({ head: this.#head })
      this.#ear.onHead(this.#head)
    })
    stream.addEventListener("error", () => {
      // A browser by itself would come back at once, and with all others.
      stream.close()
      this.#failures++
      this.#worry ??= setTimeout(() => this.#be("lost"), unnoticedMs)
      if (this.#failures > 1) this.#ear.onRefused()
      this.#again = setTimeout(() => this.#open(), around(Math.min(mostMs, 1000 * 2 ** (this.#failures - 1))))
    })
  }

  #be(state: State): void {
    this.#state = state
    this.#tell({ state })
    this.#ear.onState(state)
  }

  #tell(told: Told): void {
    // A channel reaches pages of this origin alone, and takes no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel?.postMessage(told)
  }
}
