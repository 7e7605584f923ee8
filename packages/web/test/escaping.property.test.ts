/** Whatever an outfitter or a guest has written is text on every page, and never markup. */
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { open } from "./World.ts"

/** Texts that would like to be something else. */
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
    "${alert(1)}{{7*7}}"
  ),
  FastCheck.fullUnicodeString({ minLength: 1, maxLength: 40 })
)
const storable = hostile.filter((text) => text.trim() !== "" && text.isWellFormed() && !text.includes("\0"))

/** Every tag that the page has, without what stands in the attributes that people's words are in. */
const skeleton = (html: string): string =>
  html
    .replace(/(<script type="application\/ld\+json">)[^<]*(<\/script>)/g, "$1$2")
    .replace(/ (content|value|href|action|formaction|aria-label)="[^"]*"/g, " $1")
    .replace(/>[^<]*/g, ">")

describe("nothing that was written becomes markup", () => {
  it("on any page of the booking page", async () => {
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
      const typed = { name: text, email: text, phone: text, notes: text, body: text, key: text, shown: "0" }
      const base = "/book/salida-river-co"
      const query = new URLSearchParams({
        lang: text,
        accent: text,
        quantity: text,
        periods: text,
        date: text,
        month: text
      })
      return [
        await world.ask(base),
        await world.ask(`${base}/${id}`),
        await world.ask(`${base}/${id}/details?slot=${slot}&date=2027-05-03`),
        await world.ask(`${base}/${id}/details?slot=${slot}&date=2027-05-03&${query}`),
        await world.ask(`${base}/question`),
        await world.ask(`${base}/question?sent=1`),
        await world.ask(`${base}/question`, { form: { ...typed, email: "no" } }),
        await world.ask(`${base}/${id}`, { form: { ...typed, slot, date: "2027-05-03", email: "no" } }),
        await world.ask(`${base}/${id}/times`, { form: { ...typed, date: "2027-05-03" } })
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
})
