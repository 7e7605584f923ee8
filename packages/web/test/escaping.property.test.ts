/** Tests that every page shows text from outfitters and guests as plain text, never as markup. */
import { hasWebAddress } from "@trailbook/core/wire/addresses"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { open as openPlace, png, trip } from "./guest/TestSite.ts"
import { open } from "./World.ts"

/** Strings that would act as markup, script, or another format if they were not escaped. */
const hostile = FastCheck.oneof(
  FastCheck.constantFrom(
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onfocus='alert(1)' autofocus='",
    "</title><script>alert(1)</script>",
    "</textarea><svg onload=alert(1)>",
    "</style><style>*{display:none}",
    "</script><!--",
    "<!--<script>",
    "javascript:alert(1)",
    "\u2028\u2029]]>",
    "&lt;script&gt;",
    "${alert(1)}{{7*7}}",
    "@ "
  ),
  FastCheck.fullUnicodeString({ minLength: 1, maxLength: 40 })
)
/** Strings that every column can store: not blank, valid Unicode, and no NUL. */
const storable = hostile.filter((text) => text.trim() !== "" && text.isWellFormed() && !text.includes("\0"))

/**
 * Returns a name that visitors can enter. Web addresses are removed, because the form would refuse them and the page
 * would show an extra error.
 */
const visitorName = (text: string): string => hasWebAddress(text) ? text.replaceAll(/[^<>"'&]/g, "a") : text

/** Returns a page's tags, with the attribute values that contain user text removed. */
const skeleton = (html: string): string =>
  html
    .replace(/(<script type="application\/ld\+json">)[^<]*(<\/script>)/g, "$1$2")
    .replace(/ (content|value|href|src|action|formaction|aria-label|alt|title|data-read|data-booked)="[^"]*"/g, " $1")
    // Every booking has a different QR code.
    .replace(/ d="[\dMhvz -]*"/g, " d")
    .replace(/>[^<]*/g, ">")

describe("user input", () => {
  it("is escaped on every booking page", async () => {
    const world = await open({ publicUrl: "https://book.example.com" })
    const { id } = await world.call("offerings.create", {
      name: "a",
      kind: "appointment",
      description: "a",
      location: "a",
      slot_interval_minutes: 240
    })
    const slot = "2027-05-03T15:00:00.000Z"
    const pages = async (text: string) => {
      await world.call("org.update", { name: text.slice(0, 60), away_notice: text, reply_window: text })
      await world.call("offerings.update", { id, name: text, description: text, location: text })
      const input = {
        name: visitorName(text),
        email: text,
        phone: text,
        notes: text,
        body: text,
        key: text,
        shown: "now"
      }
      const base = "/book/salida-river-co"
      // The prefix keeps the text from being a number, language, or date, which would select another page.
      const queryText = `x${text}`
      const query = new URLSearchParams({
        lang: queryText,
        accent: queryText,
        quantity: queryText,
        periods: queryText,
        date: queryText,
        month: queryText
      })
      return [
        await world.ask(base),
        await world.ask(`${base}/${id}`),
        await world.ask(`${base}/${id}/details?slot=${slot}&date=2027-05-03`),
        await world.ask(`${base}/${id}/details?slot=${slot}&date=2027-05-03&${query}`),
        await world.ask(`${base}/question`),
        await world.ask(`${base}/question?sent=1`),
        await world.ask(`${base}/question`, { form: { ...input, email: "no" } }),
        await world.ask(`${base}/${id}`, { form: { ...input, slot, date: "2027-05-03", email: "no" } }),
        await world.ask(`${base}/${id}/times`, { form: { ...input, date: "2027-05-03" } })
      ]
    }
    const plain = (await pages("plain words")).map(({ html }) => html)
    await FastCheck.assert(
      FastCheck.asyncProperty(storable, async (text) => {
        for (const [at, { html, status }] of (await pages(text)).entries()) {
          assert.notStrictEqual(status, 500)
          assert.strictEqual(skeleton(html), skeleton(plain[at] ?? ""), `page ${at} with ${JSON.stringify(text)}`)
          const about = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1]
          if (about !== undefined) JSON.parse(about)
        }
      }),
      { numRuns: runs(200, 25) }
    )
  })

  it("is escaped on every guest, payment, and widget page", async () => {
    const site = await openPlace({ publicUrl: "https://book.example.com" })
    await site.connect()
    const { id } = await site.call("offerings.create", { ...trip, capacity: 500 })
    const slot = "2027-05-04T15:00:00.000Z"
    let guests = 0
    const pages = async (text: string) => {
      await site.call("org.update", { name: text.slice(0, 60), away_notice: text, reply_window: text })
      await site.call("org.update", { guest_changes_hours: 1 })
      await site.call("offerings.update", { id, name: text, description: text, location: text })
      // The clock is fixed, and a guest's messages must have distinct times, so each round uses a new guest.
      const details = {
        customer: { email: `ada${++guests}@example.com`, name: text, phone: text.slice(0, 40) },
        notes: text
      }
      const heldBooking = await site.book(id, { ...details, starts_at: slot })
      const paidBooking = await site.book(id, { ...details, starts_at: slot })
      await site.pay(paidBooking)
      const form = new FormData()
      form.set("body", text)
      form.append("files", new Blob([png], { type: "image/png" }), text)
      await site.ask(`/b/${paidBooking.handle}/messages`, { form })
      await site.call("messages.send", { booking_id: paidBooking.id, body: text, subject: text.slice(0, 200) })
      const link = await site.link(paidBooking)
      // The prefix keeps the text from being one or two dots, which would change the path.
      const queryText = `x${text}`
      const query = `?${new URLSearchParams({
        lang: queryText,
        accent: queryText,
        done: queryText,
        from: queryText,
        n: queryText
      })}`
      const of = async (
        { handle }: { readonly handle: string },
        path: string,
        fields?: FormData | Record<string, string>
      ) => site.ask(`/b/${handle}${path}`, fields === undefined ? {} : { form: fields })
      const unsent = new FormData()
      unsent.set("body", text.repeat(5001))
      const who = {
        name: visitorName(text).slice(0, 120),
        email: "ada@example.com",
        phone: "",
        notes: text,
        shown: "now"
      }
      const book = { ...who, slot, date: slot.slice(0, 10), key: crypto.randomUUID() }
      const answers = [
        await of(heldBooking, ""),
        await of(heldBooking, "/pay"),
        await of(heldBooking, `/paid${query}`),
        await of(paidBooking, ""),
        await of(paidBooking, query),
        await of(paidBooking, "/move"),
        await of(paidBooking, `/move${query}&to=${encodeURIComponent(queryText)}`),
        await of(paidBooking, "/cancel"),
        await of(paidBooking, `/messages/${encodeURIComponent(queryText)}`),
        await of(paidBooking, `/messages/${link}`),
        await of(paidBooking, `/messages/${encodeURIComponent(queryText)}`, {}),
        await of(paidBooking, "/messages", unsent),
        await site.ask(`/book/salida-river-co/${id}?embed=1`, { form: book }),
        await site.ask("/widget/salida-river-co"),
        await site.ask(`/widget/salida-river-co${query}&offering=${encodeURIComponent(queryText)}`),
        await site.ask(`/b/${encodeURIComponent(queryText)}`),
        await site.ask(`/book/${encodeURIComponent(queryText)}`)
      ]
      const calendar = (await of(paidBooking, "/calendar.ics")).html
      await site.call("bookings.cancel", { id: paidBooking.id })
      answers.push(await of(paidBooking, ""), await of(paidBooking, "/move"))
      const embedded = await site.call("bookings.list", { status: "held", limit: 10 }) as unknown as {
        readonly data: ReadonlyArray<{ readonly id: string }>
      }
      for (const { id } of embedded.data) await site.call("bookings.cancel", { id })
      return { answers, calendar }
    }
    const plain = await pages("plain words")
    assert.deepStrictEqual(new Set(plain.answers.map(({ status }) => status)), new Set([200, 404, 409, 410, 422]))
    await FastCheck.assert(
      FastCheck.asyncProperty(storable, async (text) => {
        const { answers, calendar } = await pages(text)
        for (const [at, { html, status }] of answers.entries()) {
          assert.isBelow(status, 500)
          const label = `page ${at} with ${JSON.stringify(text)}`
          assert.strictEqual(skeleton(html), skeleton(plain.answers[at]?.html ?? ""), label)
        }
        // The text must not add a line to the calendar file.
        const names = (ics: string) => ics.replaceAll("\r\n ", "").split("\r\n").map((line) => line.split(/[:;]/)[0])
        assert.deepStrictEqual(names(calendar), names(plain.calendar))
      }),
      { numRuns: runs(60, 8) }
    )
    await site.close()
  })

  it("control: is detected if it is not escaped", () => {
    const page = (text: string, attribute: string) => `<p>${text}</p><a href="/x${attribute}">${text}</a>`
    const safe = skeleton(page("plain", "plain"))
    for (const text of ["<b>", "</p><script>", "<!--"]) assert.notStrictEqual(skeleton(page(text, "plain")), safe, text)
    for (const text of [`" onfocus="alert(1)`, `"><img src="x"`]) {
      assert.notStrictEqual(skeleton(page("plain", text)), safe, text)
    }
  })
})
