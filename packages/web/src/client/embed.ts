// Runs in an embedded page. It reports the page's height and completed bookings to the parent page.
export {}

const tell = (message: object) => {
  // The message contains no personal data, so any parent origin can receive it.
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

// The popup of the Book button contains this page, so the page receives the keys.
addEventListener("keydown", ({ defaultPrevented, key }) => {
  if (key === "Escape" && !defaultPrevented) tell({ type: "trailbook:escape" })
})

new ResizeObserver(measure).observe(document.body)
new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
tell({ type: "trailbook:ready" })
measure()
look()
