import { morphPage, syncStyles } from "./morph.ts"

/**
 * Why refreshing stopped. `out` means that the staff member is signed out, and `gone` means that the page no longer
 * exists.
 */
type StopReason = "out" | "gone"

/** The minimum time between two refreshes. */
const minIntervalMs = 1500
const retryMs = 3000
const maxRetryMs = 60_000
/**
 * How long refreshes pause after a form is submitted. The response may be a download, which does not replace the page.
 */
const sendPauseMs = 10_000

const readHead = (main: HTMLElement): number | undefined => {
  const { head } = main.dataset
  return head === undefined || head === "" ? undefined : Number(head)
}

/** Fetches the page again and morphs the DOM if the page is behind the org's change counter. */
export class PageRefresher {
  readonly #main: HTMLElement
  readonly #onStop: (reason: StopReason) => void
  /** The value of the change counter when the page was rendered. */
  #renderedHead: number | undefined
  #latestHead: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #activeRequest: AbortController | undefined
  #notBefore = 0
  #failures = 0
  #sentAt = -Infinity
  #isStopped = false

  constructor(main: HTMLElement, onStop: (reason: StopReason) => void) {
    this.#main = main
    this.#onStop = onStop
    this.#renderedHead = readHead(main)
  }

  /** Requests a refresh if the page is older than the given value of the change counter. */
  upTo(head: number): void {
    this.#latestHead = Math.max(head, this.#latestHead ?? 0)
    this.#schedule()
  }

  /** Refreshes unconditionally, to check whether the staff member can still access the page. */
  anyhow(): void {
    this.#renderedHead = undefined
    this.#latestHead ??= 0
    this.#schedule()
  }

  /** Aborts a running refresh, because a submitted form replaces the page. */
  sending(): void {
    this.#sentAt = performance.now()
    this.#activeRequest?.abort()
  }

  /** Resumes refreshes, for example after back navigation. */
  shown(): void {
    this.#sentAt = -Infinity
    this.#schedule()
  }

  /** Skips the remaining backoff after a failure. */
  online(): void {
    if (this.#failures > 0) this.#notBefore = 0
    this.#schedule()
  }

  get #isBehind(): boolean {
    return this.#latestHead !== undefined && (this.#renderedHead === undefined || this.#latestHead > this.#renderedHead)
  }

  #schedule(): void {
    if (this.#isStopped || document.hidden || !this.#isBehind || this.#activeRequest !== undefined) return
    const now = performance.now()
    clearTimeout(this.#timer)
    const at = Math.max(this.#notBefore, this.#sentAt + sendPauseMs, now + 50 + Math.random() * 150)
    this.#timer = setTimeout(() => void this.#refresh(), at - now)
  }

  async #refresh(): Promise<void> {
    if (document.hidden || this.#activeRequest !== undefined) return
    const controller = new AbortController()
    this.#activeRequest = controller
    const targetHead = this.#latestHead
    try {
      const response = await fetch(location.href, {
        headers: { accept: "text/html" },
        cache: "no-store",
        signal: controller.signal
      })
      if (response.redirected || response.status === 401) return this.#stop("out")
      if (response.status === 403 || response.status === 404 || response.status === 410) return this.#stop("gone")
      if (!response.ok) throw new Error(String(response.status))
      // Turn style elements into templates, because the content security policy also applies to parsed documents, and
      // Chromium would log an error for each style.
      const text = (await response.text()).replaceAll(/(?<=<\/?)style(?=>)/g, "template")
      const next = new DOMParser().parseFromString(text, "text/html")
      controller.signal.throwIfAborted()
      const main = next.querySelector<HTMLElement>("main[data-live]")
      if (main === null) return this.#stop("gone")
      this.#renderedHead = readHead(main) ?? targetHead
      this.#show(next, main)
      this.#failures = 0
      this.#notBefore = performance.now() + minIntervalMs
    } catch {
      this.#failures++
      const delayMs = Math.min(maxRetryMs, retryMs * 2 ** (this.#failures - 1))
      this.#notBefore = performance.now() + (controller.signal.aborted ? 0 : delayMs * (0.5 + Math.random()))
    } finally {
      this.#activeRequest = undefined
    }
    this.#schedule()
  }

  #show(next: Document, main: HTMLElement): void {
    syncStyles(next)
    document.title = next.title
    morphPage(this.#main, main)
    // Update the elements outside `main` that show counts, such as the menu.
    const nextElements = next.querySelectorAll("[data-live-too]")
    document.querySelectorAll("[data-live-too]").forEach((element, at) => {
      const replacement = nextElements[at]
      if (replacement !== undefined) morphPage(element, replacement)
    })
  }

  #stop(reason: StopReason): void {
    this.#isStopped = true
    this.#onStop(reason)
  }
}
