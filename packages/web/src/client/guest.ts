// Improves a guest's page, which works without it: the time that is left to pay, the news of a payment, photos that are
// made smaller before they leave, and messages that count as read once they were seen.
export {}

const each = (selector: string, use: (element: HTMLElement) => void) =>
  document.querySelectorAll<HTMLElement>(selector).forEach(use)

/** By the service's clock: what is left was said in milliseconds when the page was made. */
each("[data-left]", (element) => {
  const end = performance.now() + Number(element.dataset["left"])
  const show = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    element.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
    if (seconds > 0) setTimeout(show, 1000 - ((performance.now() % 1000) || 1) + 20)
    else location.reload()
  }
  element.closest<HTMLElement>("[hidden]")?.removeAttribute("hidden")
  show()
})

/** Who waits for a payment is led on when it is there, and not by a page that loads again under them. */
each("[data-again]", (element) => {
  const wait = Number(element.dataset["again"]) * 1000
  let looks = 40
  const look = async () => {
    const answer = await fetch(location.href).catch(() => undefined)
    if (answer?.redirected === true) location.replace(answer.url)
    else if (--looks > 0) setTimeout(look, wait)
  }
  setTimeout(look, wait)
})

/** Opening a mailed link proves that the guest reads mail to the address. Programs that scan mail run no script. */
each("[data-mailed]", ({ dataset }) => {
  const body = new URLSearchParams({ link: dataset["link"] ?? "" })
  fetch(dataset["mailed"] ?? "", { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {})
})

each("[data-read]", (thread) => {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting) || document.hidden) return
    seen.disconnect()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    fetch(thread.dataset["read"] ?? "", { method: "POST", headers, body: "", keepalive: true }).catch(() => {})
  })
  seen.observe(thread)
})

const largeBytes = 1_500_000
const longSide = 2400

const smaller = async (file: File): Promise<File> => {
  if (file.size < largeBytes || !/^image\/(jpeg|png|webp)$/.test(file.type)) return file
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, longSide / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: .85 })
  return blob.size < file.size ? new File([blob], file.name.replace(/\.\w+$/, "") + ".jpg", { type: blob.type }) : file
}

each("form[data-once]", (element) => {
  const form = element as HTMLFormElement
  const input = form.querySelector<HTMLInputElement>("input[type=file]")
  input?.addEventListener("change", async () => {
    const chosen = [...input.files ?? []]
    try {
      const all = new DataTransfer()
      for (const file of chosen) all.items.add(await smaller(file))
      // Somebody may have chosen others meanwhile.
      if (chosen.length === input.files?.length) input.files = all.files
    } catch {
      // It leaves as it is.
    }
  })
  form.addEventListener("submit", () => {
    const button = form.querySelector("button")
    setTimeout(() => button?.setAttribute("disabled", ""))
  })
  // A page that is taken from the browser's memory may be sent from again.
  addEventListener("pageshow", () => form.querySelector("button")?.removeAttribute("disabled"))
})
