// Progressive enhancement for a guest's booking page: the payment countdown, the payment status, photo resizing before
// upload, and read receipts for visible messages.
export {}

const forEachElement = (selector: string, callback: (element: HTMLElement) => void) =>
  document.querySelectorAll<HTMLElement>(selector).forEach(callback)

/** The server renders the remaining time in milliseconds, so the client's clock does not matter. */
forEachElement("[data-left]", (element) => {
  const endsAt = performance.now() + Number(element.dataset["left"])
  const showRemaining = () => {
    const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
    element.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
    if (seconds > 0) setTimeout(showRemaining, 1000 - ((performance.now() % 1000) || 1) + 20)
    else location.reload()
  }
  element.closest<HTMLElement>("[hidden]")?.removeAttribute("hidden")
  showRemaining()
})

/**
 * Polls up to 40 times, until the server redirects to the paid booking. A reload would interrupt a guest who is
 * reading.
 */
forEachElement("[data-again]", (element) => {
  const intervalMs = Number(element.dataset["again"]) * 1000
  let remainingPolls = 40
  const checkPayment = async () => {
    const response = await fetch(location.href).catch(() => undefined)
    if (response?.redirected === true) location.replace(response.url)
    else if (--remainingPolls > 0) setTimeout(checkPayment, intervalMs)
  }
  setTimeout(checkPayment, intervalMs)
})

/**
 * Opening a mailed link in a browser with scripts proves that the guest reads email at this address, because mail
 * scanners do not run scripts.
 */
forEachElement("[data-mailed]", ({ dataset }) => {
  const body = new URLSearchParams({ link: dataset["link"] ?? "" })
  fetch(dataset["mailed"] ?? "", { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {})
})

forEachElement("[data-read]", (thread) => {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting) || document.hidden) return
    observer.disconnect()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    fetch(thread.dataset["read"] ?? "", { method: "POST", headers, body: "", keepalive: true }).catch(() => {})
  })
  observer.observe(thread)
})

const largeBytes = 1_500_000
const maxSidePixels = 2400

const shrinkPhoto = async (file: File): Promise<File> => {
  if (file.size < largeBytes || !/^image\/(jpeg|png|webp)$/.test(file.type)) return file
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxSidePixels / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: .85 })
  return blob.size < file.size ? new File([blob], file.name.replace(/\.\w+$/, "") + ".jpg", { type: blob.type }) : file
}

forEachElement("form[data-once]", (element) => {
  const form = element as HTMLFormElement
  const input = form.querySelector<HTMLInputElement>("input[type=file]")
  input?.addEventListener("change", async () => {
    const files = [...input.files ?? []]
    try {
      const transfer = new DataTransfer()
      for (const file of files) transfer.items.add(await shrinkPhoto(file))
      // The guest might have selected other files in the meantime.
      if (files.length === input.files?.length) input.files = transfer.files
    } catch {
      // If resizing fails, the original file is uploaded.
    }
  })
  form.addEventListener("submit", () => {
    const button = form.querySelector("button")
    setTimeout(() => button?.setAttribute("disabled", ""))
  })
  // Let the form be submitted again if the page is restored from the back/forward cache.
  addEventListener("pageshow", () => form.querySelector("button")?.removeAttribute("disabled"))
})
