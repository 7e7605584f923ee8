// Prevents double submission. After back navigation, a form can be submitted again.
let sentForms = new WeakSet<HTMLFormElement>()
document.addEventListener("submit", (event) => {
  const { target } = event
  if (!(target instanceof HTMLFormElement) || target.dataset["once"] === undefined) return
  if (sentForms.has(target)) event.preventDefault()
  sentForms.add(target)
})
addEventListener("pageshow", () => {
  sentForms = new WeakSet()
})

// Move the focus to the error summary.
document.querySelector<HTMLElement>("[data-focus]")?.focus()

export {}
