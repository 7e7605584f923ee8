// Updates the sample party's price as prices are typed. Without this script, a button updates the price.
const previewDelayMs = 300

let latest: AbortController | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const show = async (form: HTMLFormElement) => {
  latest?.abort()
  const controller = latest = new AbortController()
  const body = new URLSearchParams({ do: "preview" })
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value)
  try {
    const answer = await fetch(form.action, { method: "POST", body, signal: controller.signal })
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const next = page.getElementById("preview-price")
    if (next !== null) document.getElementById("preview-price")?.replaceChildren(...next.childNodes)
  } catch {
    // If the connection is lost, pressing the button shows the error.
  }
}

addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form") : null
  if (form === null || form.querySelector("#preview-price") === null) return
  clearTimeout(timer)
  timer = setTimeout(() => void show(form), previewDelayMs)
})

export {}
