// One tab holds the event stream for all of a browser's tabs. Over HTTP/1.1, a browser opens at most six connections
// per host, so a seventh tab with its own stream would never load. Web Locks are available only on https and localhost.
// Without them, each visible tab opens its own stream.

type ConnectionState = "live" | "lost"

interface TabMessage {
  readonly head?: number | undefined
  readonly state?: ConnectionState | undefined
  /** Set if a new tab is requesting the current state. */
  readonly asks?: true
}

/** A tab's callbacks. They behave the same whether or not this tab holds the stream. */
interface TabListener {
  readonly onHead: (head: number) => void
  readonly onState: (state: ConnectionState) => void
  /** Called by the event source after two or more consecutive failures, for example after sign-out. */
  readonly onRefused: () => void
}

const maxRetryMs = 30_000
/** Shorter interruptions are not shown. The server closes each stream after 30 minutes, and the tab then reconnects. */
const unnoticedMs = 2000

/** Adds ±50% jitter, so that tabs do not all reconnect at the same time. */
const addJitter = (ms: number): number => ms * (0.5 + Math.random())

export class SharedEventSource {
  readonly #address: string
  readonly #listener: TabListener
  #channel: BroadcastChannel | undefined
  #stream: EventSource | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #lostTimer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #head: number | undefined
  #state: ConnectionState | undefined
  #release: (() => void) | undefined
  #lockRequest: AbortController | undefined

  constructor(address: string, listener: TabListener) {
    this.#address = address
    this.#listener = listener
  }

  begin(): void {
    if (this.#channel !== undefined) return
    const channel = new BroadcastChannel(`trailbook ${this.#address}`)
    this.#channel = channel
    channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      if (data.asks !== undefined && this.#release !== undefined) this.#post({ head: this.#head, state: this.#state })
      if (data.state !== undefined) this.#listener.onState(data.state)
      if (data.head !== undefined) this.#listener.onHead(data.head)
    })
    const controller = new AbortController()
    this.#lockRequest = controller
    const openAsLeader = () =>
      new Promise<void>((resolve) => {
        this.#release = resolve
        if (controller.signal.aborted) resolve()
        else this.#open()
      })
    // Another tab might already hold the stream, so ask for the current state.
    this.#post({ asks: true })
    if (navigator.locks === undefined) void openAsLeader()
    else {navigator.locks.request(`trailbook ${this.#address}`, { signal: controller.signal }, openAsLeader).catch(
        () => {}
      )}
  }

  end(): void {
    this.#lockRequest?.abort()
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#lostTimer)
    this.#lostTimer = undefined
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
      clearTimeout(this.#lostTimer)
      this.#lostTimer = undefined
      this.#setState("live")
    })
    stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
      this.#head = Number(data)
      this.#post({ head: this.#head })
      this.#listener.onHead(this.#head)
    })
    stream.addEventListener("error", () => {
      // Close the stream. Otherwise, the browser would reconnect immediately and without jitter.
      stream.close()
      this.#failures++
      this.#lostTimer ??= setTimeout(() => this.#setState("lost"), unnoticedMs)
      if (this.#failures > 1) this.#listener.onRefused()
      this.#retryTimer = setTimeout(
        () => this.#open(),
        addJitter(Math.min(maxRetryMs, 1000 * 2 ** (this.#failures - 1)))
      )
    })
  }

  #setState(state: ConnectionState): void {
    this.#state = state
    this.#post({ state })
    this.#listener.onState(state)
  }

  #post(message: TabMessage): void {
    // `BroadcastChannel` is limited to this origin and has no target parameter.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel?.postMessage(message)
  }
}
