// A form is sent once, however often its button is pressed; whoever comes back to it may send it anew.
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

// What was wrong with a form is where reading begins.
document.querySelector<HTMLElement>("[data-focus]")?.focus()

export {}
