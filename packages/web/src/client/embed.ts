// Within another page: says how high this one is, and that something was booked.
export {}

const tell = (message: object) => {
  // Whoever embeds it may know this much; nothing of a person is in it.
  if (parent !== window) parent.postMessage(message, "*")
}

let told = 0
const measure = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  if (height !== told) tell({ type: "trailbook:resize", height })
  told = height
}

const seen = new WeakSet<Element>()
const look = () => {
  const done = document.querySelector<HTMLElement>("[data-booked]")
  if (done === null || seen.has(done)) return
  seen.add(done)
  tell({ type: "trailbook:booked", reference: done.dataset["booked"] })
}

new ResizeObserver(measure).observe(document.body)
new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
tell({ type: "trailbook:ready" })
measure()
look()
