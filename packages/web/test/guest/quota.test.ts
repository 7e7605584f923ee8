/**
 * Tests the limits on a booking's page: files are stored only once per form key, and quotas apply per booking and per
 * outfitter.
 */
import type { BookingView } from "@trailbook/core/booking"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "./TestSite.ts"

const mebibyte = 1024 * 1024

const pdfBytes = (bytes: number) => {
  const file = new Uint8Array(bytes).fill(32)
  file.set(new TextEncoder().encode("%PDF-1.4\n%%EOF\n"))
  return file
}
const pdf = (bytes: number): Blob => new Blob([pdfBytes(bytes)])

const key = (n: number) => `0199aaaa-0000-7000-8000-${String(n).padStart(12, "0")}`

const startsAt = "2027-05-01T14:00:00Z"

const after = (seconds: number) => new Date(Date.parse(startsAt) + seconds * 1000).toISOString()

describe("a guest's page", () => {
  let site: TestSite
  let tripId: string
  let forms = 0

  const openSite = async (quota: { readonly guestMessagesPerDay?: number; readonly guestFilesMbPerDay?: number }) => {
    site = await open({ now: startsAt, ...quota })
    tripId = (await site.call("offerings.create", { ...trip, capacity: 100 })).id
  }
  const book = (n: number) => site.book(tripId, { customer: { email: `guest${n}@example.com` } }, 12)
  const send = ({ handle }: BookingView, { files = [], formKey = key(++forms), language = "en" }: {
    readonly files?: ReadonlyArray<Blob>
    readonly formKey?: string
    readonly language?: string
  } = {}) => {
    const form = new FormData()
    form.set("key", formKey)
    form.set("body", `Message ${formKey}`)
    for (const file of files) form.append("files", file, "map.pdf")
    return site.ask(`/b/${handle}/messages`, { form, headers: { "accept-language": language } })
  }

  beforeEach(() => {
    forms = 0
  })
  afterEach(() => site.close())

  it("stores files only once if their form is resubmitted", async () => {
    await openSite({})
    const booking = await book(1)
    const files = [pdf(1000), pdf(2000)]
    const resend = () => send(booking, { files, formKey: key(1) })
    const answers = [...await Promise.all([resend(), resend(), resend()]), await resend()]
    assert.deepStrictEqual(answers.map(({ status }) => status), [303, 303, 303, 303])
    assert.deepStrictEqual(await site.files(), [1000, 2000])
  })

  it("refuses messages over the daily quota until the Retry-After time", async () => {
    await openSite({ guestMessagesPerDay: 3 })
    const [one, other] = [await book(1), await book(2)]
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await send(one)).status)
    assert.deepStrictEqual(statuses, [303, 303, 303])
    const rejection = await send(one, { files: [pdf(1000)] })
    assert.strictEqual(rejection.status, 429)
    assert.include(rejection.html, "the daily message limit. Try again in 8 hours.")
    assert.include((await send(one, { language: "es" })).html, "Intente de nuevo en 8 horas.")
    assert.include(rejection.html, ">Message ")
    assert.deepStrictEqual(await site.files(), [])
    const wait = Number(rejection.headers.get("retry-after"))
    assert.strictEqual(wait, 8 * 60 * 60)
    assert.strictEqual((await send(other)).status, 303)
    site.set(after(wait - 1))
    assert.strictEqual((await send(one)).status, 429)
    site.set(after(wait))
    assert.strictEqual((await send(one)).status, 303)
  })

  it("refuses files over the daily quota, but accepts text", async () => {
    await openSite({ guestFilesMbPerDay: 1 })
    const booking = await book(1)
    assert.strictEqual((await send(booking, { files: [pdf(mebibyte)] })).status, 303)
    const rejection = await send(booking, { files: [pdf(1000)] })
    assert.strictEqual(rejection.status, 429)
    assert.include(rejection.html, "the daily file limit")
    assert.match(rejection.headers.get("retry-after") ?? "", /^\d+$/)
    assert.strictEqual((await send(booking)).status, 303)
    assert.deepStrictEqual(await site.files(), [mebibyte])
  })

  it("stores emails over the daily quota without their attachments", async () => {
    await openSite({ guestFilesMbPerDay: 1 })
    const booking = await book(1)
    assert.strictEqual((await send(booking)).status, 303)
    await site.email(booking, "one", [pdfBytes(mebibyte)])
    await site.email(booking, "one", [pdfBytes(mebibyte)])
    await site.email(booking, "two", [pdfBytes(1000)])
    assert.deepStrictEqual(await site.files(), [mebibyte])
    const messages = JSON.stringify(await site.call("messages.list", { customer_id: booking.customer_id }))
    assert.include(messages, "Email two\\n\\n[map.pdf was not stored: the daily file limit was reached]")
    site.set(after(24 * 60 * 60))
    await site.email(booking, "three", [pdfBytes(1000)])
    assert.deepStrictEqual(await site.files(), [mebibyte, 1000])
  })

  it("counts files from emails and forms toward one quota per outfitter", async () => {
    await openSite({ guestFilesMbPerDay: 1 })
    for (let n = 0; n < 22; n++) {
      const booking = await book(n)
      assert.strictEqual((await send(booking)).status, 303)
      await site.email(booking, String(n), [pdfBytes(mebibyte)])
    }
    assert.lengthOf(await site.files(), 20)
    assert.strictEqual((await send(await book(22), { files: [pdf(1000)] })).status, 429)
  })

  it("limits the total file size per outfitter and day", async () => {
    await openSite({ guestFilesMbPerDay: 1, guestMessagesPerDay: 2 })
    const statuses = new Map<number, number>()
    for (let n = 0; n < 25; n++) {
      const booking = await book(n)
      for (let form = 0; form < 3; form++) {
        const { status } = await send(booking, { files: [pdf(mebibyte / 2)] })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    assert.strictEqual(statuses.get(303), 40)
    assert.strictEqual(statuses.get(429), 35)
    assert.isAtMost((await site.files()).reduce((sum, bytes) => sum + bytes, 0), 20 * mebibyte)
  })

  it("returns 503 with Retry-After if files cannot be stored", async () => {
    await openSite({})
    const booking = await book(1)
    await site.refuseFiles(true)
    const rejection = await send(booking, { files: [pdf(1000)] })
    assert.strictEqual(rejection.status, 503)
    assert.strictEqual(rejection.headers.get("retry-after"), "60")
    assert.include(rejection.html, "Files cannot be uploaded right now.")
    assert.include((await send(booking, { files: [pdf(100)], language: "es" })).html, "no se pueden subir archivos")
    assert.strictEqual((await send(booking)).status, 303)
    assert.lengthOf((await site.ask(`/b/${booking.handle}`)).html.match(/class="message own"/g) ?? [], 1)
  })
})
