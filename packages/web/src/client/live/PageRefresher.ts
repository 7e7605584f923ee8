import { morphPage, syncAttributes } from "./morph.ts"

/**
 * The reason that refreshing stopped. `out` means that the staff member is signed out, and `gone` means that the page
 * no longer exists.
 */
export type StopReason = "out" | "gone"

/** The minimum time between two refreshes. */
const betweenMs = 1500
const retryMs = 3000
const mostMs = 60_000
/**
 * How long refreshes pause after a form is submitted. The response can be a download, which does not replace the page.
 */
const sendingMs = 10_000

const headOf = (main: HTMLElement): number | undefined => {
  const { head } = main.dataset
  return head === undefined || head === "" ? undefined : Number(head)
}

/** Fetches the page again and morphs the DOM if the page is behind the org's change counter. */
export class PageRefresher {
  readonly #main: HTMLElement
  readonly #onOver: (over: StopReason) => void
  /** The value of the change counter when the page was rendered. */
  #seen: number | undefined
  #wanted: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #asking: AbortController | undefined
  #notBefore = 0
  #failures = 0
  #sentAt = -Infinity
  #isOver = false

  constructor(main: HTMLElement, onOver: (over: StopReason) => void) {
    this.#main = main
    this.#onOver = onOver
    this.#seen = headOf(main)
  }

  /** Requests a refresh if the page is older than the given value of the change counter. */
  upTo(head: number): void {
    this.#wanted = Math.max(head, this.#wanted ?? 0)
    this.#plan()
  }

  /** Refreshes unconditionally, to check whether the staff member can still access the page. */
  anyhow(): void {
    this.#seen = undefined
    this.#wanted ??= 0
    this.#plan()
  }

  /** Aborts a running refresh, because a submitted form replaces the page. */
  sending(): void {
    this.#sentAt = performance.now()
    this.#asking?.abort()
  }

  /** Resumes refreshes, for example after back navigation. */
  shown(): void {
    this.#sentAt = -Infinity
    this.#plan()
  }

  /** Ends the wait that follows a failure. */
  online(): void {
    if (this.#failures > 0) this.#notBefore = 0
    this.#plan()
  }

  get #isBehind(): boolean {
    return this.#wanted !== undefined && (this.#seen === undefined || this.#wanted > this.#seen)
  }

  #plan(): void {
    if (this.#isOver || document.hidden || !this.#isBehind || this.#asking !== undefined) return
    const now = performance.now()
    clearTimeout(this.#timer)
    const at = Math.max(this.#notBefore, this.#sentAt + sendingMs, now + 50 + Math.random() * 150)
    this.#timer = setTimeout(() => void this.#renew(), at - now)
  }

  async #renew(): Promise<void> {
    if (document.hidden || this.#asking !== undefined) return
    const controller = new AbortController()
    this.#asking = controller
    const targetHead = this.#wanted
    try {
      const answer = await fetch(location.href, {
        headers: { accept: "text/html" },
        cache: "no-store",
        signal: controller.signal
      })
      if (answer.redirected || answer.status === 401) return this.#end("out")
      if (answer.status === 403 || answer.status === 404 || answer.status === 410) return this.#end("gone")
      if (!answer.ok) throw new Error(String(answer.status))
      // Replace the style elements, because the content security policy also applies to parsed documents, so Chromium
      // would log an error.
      const text = (await answer.text()).replaceAll(/(?<=<\/?)style(?=>)/g, "template")
      const next = new DOMParser().parseFromString(text, "text/html")
      controller.signal.throwIfAborted()
      const main = next.querySelector<HTMLElement>("main[data-live]")
      if (main === null) return this.#end("gone")
      this.#seen = headOf(main) ?? targetHead
      this.#show(next, main)
      this.#failures = 0
      this.#notBefore = performance.now() + betweenMs
    } catch {
      this.#failures++
      const waits = Math.min(mostMs, retryMs * 2 ** (this.#failures - 1))
      this.#notBefore = performance.now() + (controller.signal.aborted ? 0 : waits * (0.5 + Math.random()))
    } finally {
      this.#asking = undefined
    }
    this.#plan()
  }

  #show(next: Document, main: HTMLElement): void {
    syncAttributes(next)
    document.title = next.title
    morphPage(this.#main, main)
    // Update the elements outside `main` that show counts, such as the menu.
    const nextElements = next.querySelectorAll("[data-live-too]")
    document.querySelectorAll("[data-live-too]").forEach((element, at) => {
      const other = nextElements[at]
      if (other !== undefined) morphPage(element, other)
    })
  }

  #end(over: StopReason): void {
    this.#isOver = true
    this.#onOver(over)
  }
}
