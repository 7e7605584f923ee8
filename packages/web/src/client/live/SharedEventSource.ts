// One tab holds the event stream for all of a browser's tabs. Over HTTP/1.1, a browser opens at most six connections
// per host, so a seventh tab with its own stream would never load. Web Locks are available only on https and localhost.
// Without Web Locks, each visible tab opens its own stream.

export type State = "live" | "lost"

interface TabMessage {
  readonly head?: number | undefined
  readonly state?: State | undefined
  /** Whether a new tab is requesting the current state. */
  readonly asks?: true
}

/** A tab's callbacks. They work the same way whether or not this tab holds the stream. */
export interface Listener {
  readonly onHead: (head: number) => void
  readonly onState: (state: State) => void
  /** Called by the event source after two or more consecutive failures, for example after sign-out. */
  readonly onRefused: () => void
}

const mostMs = 30_000
/** Shorter interruptions are not shown. The server closes each stream after 30 minutes, and the tab then reconnects. */
const unnoticedMs = 2000

/** Adds ±50% jitter, so that tabs do not all reconnect at the same time. */
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

  constructor(address: string, listener: Listener) {
    this.#address = address
    this.#ear = listener
  }

  begin(): void {
    if (this.#channel !== undefined) return
    const channel = new BroadcastChannel(`trailbook ${this.#address}`)
    this.#channel = channel
    channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      if (data.asks !== undefined && this.#release !== undefined) this.#tell({ head: this.#head, state: this.#state })
      if (data.state !== undefined) this.#ear.onState(data.state)
      if (data.head !== undefined) this.#ear.onHead(data.head)
    })
    const controller = new AbortController()
    this.#waiting = controller
    const lead = () =>
      new Promise<void>((resolve) => {
        this.#release = resolve
        if (controller.signal.aborted) resolve()
        else this.#open()
      })
    // Another tab could already hold the stream.
    this.#tell({ asks: true })
    if (navigator.locks === undefined) void lead()
    else navigator.locks.request(`trailbook ${this.#address}`, { signal: controller.signal }, lead).catch(() => {})
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
      // Close the stream. Otherwise, the browser would reconnect immediately and without jitter.
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

  #tell(message: TabMessage): void {
    // `BroadcastChannel` is limited to this origin and has no target parameter.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel?.postMessage(message)
  }
}
