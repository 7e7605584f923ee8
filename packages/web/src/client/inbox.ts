// Progressive enhancement for the inbox: keyboard shortcuts, file size checks, and read receipts for visible messages.
// Listeners are attached to the document, because a refresh can replace any element on the page.
export {}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

document.addEventListener("keydown", (event) => {
  const { ctrlKey, key, metaKey, target } = event
  if (key === "Enter" && (ctrlKey || metaKey) && target instanceof HTMLTextAreaElement && "send" in target.dataset) {
    event.preventDefault()
    target.form?.requestSubmit(target.form.querySelector<HTMLButtonElement>("button[value=send]"))
  }
  if (key === "/" && !ctrlKey && !metaKey && !event.altKey && !isTyping(target)) {
    const search = document.querySelector<HTMLInputElement>("input[data-search]") ??
      document.querySelector<HTMLInputElement>(".search input")
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  }
})

const mostBytes = 10 * 1024 * 1024

// Check the size before the upload. The server rejects larger files without reading the rest of the form, so the typed
// text would be lost.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "file") return
  const isTooLarge = [...target.files ?? []].some(({ size }) => size > mostBytes)
  target.setCustomValidity(isTooLarge ? "Each file can be at most 10 MB." : "")
  target.reportValidity()
})

// Marks guest messages as read once they become visible: now, after a page refresh, or when the tab is shown again.
const observer = new IntersectionObserver((entries) => {
  if (document.hidden) return
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    const body = new FormData()
    body.set("do", "read")
    fetch(location.href, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {})
  }
})
const observeThreads = () => {
  observer.disconnect()
  document.querySelectorAll("[data-read]").forEach((thread) => observer.observe(thread))
}
observeThreads()
document.addEventListener("visibilitychange", () => document.hidden || observeThreads())
const main = document.querySelector("main")
if (main !== null) new MutationObserver(observeThreads).observe(main, { subtree: true, attributeFilter: ["data-read"] })
