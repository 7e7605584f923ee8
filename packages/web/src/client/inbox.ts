// Improves the inbox, which works without it: keys, and what counts as read once it was seen. It listens on the document,
// for the page may be put in anew while it is open.
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

// Said before they leave: what is too large is not read to its end, and what was typed would be lost with it.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "file") return
  const isTooLarge = [...target.files ?? []].some(({ size }) => size > mostBytes)
  target.setCustomValidity(isTooLarge ? "A file must be at most 10 MB." : "")
  target.reportValidity()
})

// Marks guest messages as read once they were visible: now, after a page refresh, or when the tab is shown again.
const seen = new IntersectionObserver((entries) => {
  if (document.hidden) return
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    seen.unobserve(target)
    const body = new FormData()
    body.set("do", "read")
    fetch(location.href, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {})
  }
})
const look = () => {
  seen.disconnect()
  document.querySelectorAll("[data-read]").forEach((thread) => seen.observe(thread))
}
look()
document.addEventListener("visibilitychange", () => document.hidden || look())
const main = document.querySelector("main")
if (main !== null) new MutationObserver(look).observe(main, { subtree: true, attributeFilter: ["data-read"] })
