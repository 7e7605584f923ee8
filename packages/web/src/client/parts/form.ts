// Prevents double submission. After back navigation, a form can be submitted again.
let sent = new WeakSet<HTMLFormElement>()
document.addEventListener("submit", (event) => {
  const { target } = event
  if (!(target instanceof HTMLFormElement) || target.dataset["once"] === undefined) return
  if (sent.has(target)) event.preventDefault()
  sent.add(target)
})
addEventListener("pageshow", () => {
  sent = new WeakSet()
})

// Move the focus to the error summary.
document.querySelector<HTMLElement>("[data-focus]")?.focus()

export {}
