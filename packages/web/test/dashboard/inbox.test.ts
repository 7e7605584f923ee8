/** Tests the dashboard's inbox, without scripts. */
import * as Instant from "@trailbook/core/time/Instant"
import { gzipSync } from "node:zlib"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, png, type TestSite, trip } from "../guest/TestSite.ts"

const hostile = `<img src=x onerror="alert(1)">`

const drafting = `name="do" value="draft"`

const multipart = (fields: Readonly<Record<string, string>>, files: ReadonlyArray<File> = []): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const file of files) form.append("files", file)
  return form
}

interface Row {
  readonly message?: {
    readonly id: string
    readonly body: string
    readonly kind: string
    readonly attachments: ReadonlyArray<{ readonly id: string; readonly name: string }>
  }
}

describe("the inbox", () => {
  let site: TestSite
  let cookie: string
  let tripId: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("staff")
    tripId = (await site.call("offerings.create", trip)).id
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const post = (path: string, form: Readonly<Record<string, string>> | FormData) =>
    site.ask(path, { headers: { cookie }, form })
  const asks = async (body: string, name = "Bo Ek", email = "bo@example.com") => {
    await site.ask("/book/salida-river-co/question", { form: { name, email, body, shown: "now" } })
    const { data } = await site.call("conversations.list", { q: email }) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    return data[0]?.id ?? ""
  }
  const threadOf = async (id: string) =>
    await site.call("conversations.get", { id }) as unknown as {
      readonly status: string
      readonly unread: boolean
      readonly snoozed_until: string | null
      readonly thread: ReadonlyArray<Row>
    }
  const messagesOf = async (id: string) => (await threadOf(id)).thread.flatMap(({ message }) => message ?? [])

  it("lists unanswered conversations first, and searches names and messages", async () => {
    await site.book(tripId)
    await asks("Do you run trips in April?")
    const booking = await site.book(tripId, {}, 2)
    await site.call("messages.send", { booking_id: booking.id, body: "See you at the boathouse." })
    const { html } = await get("/dashboard/inbox")
    assert.isBelow(html.indexOf("Bo Ek"), html.indexOf("Ada Lovelace"))
    assert.include(html, "1 message needs a reply")
    assert.include(html, "Needs reply")
    assert.include((await get("/dashboard/inbox?q=boathouse")).html, "Ada Lovelace")
    assert.notInclude((await get("/dashboard/inbox?q=boathouse")).html, "Bo Ek")
    assert.notInclude((await get("/dashboard/inbox?unread=1")).html, "Ada Lovelace")
    assert.include((await get("/dashboard/inbox?status=done")).html, "No conversations are marked done.")
  })

  it("lists conversations in pages of thirty", async () => {
    for (let n = 0; n < 31; n++) await asks(`Question ${n}`, `Guest ${n}`, `g${n}@example.com`)
    const { html } = await get("/dashboard/inbox")
    assert.strictEqual(html.match(/Needs reply/g)?.length, 30)
    const next = /href="([^"]*cursor=[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const { html: second } = await get(next)
    assert.strictEqual(second.match(/Needs reply/g)?.length, 1)
    assert.include(second, "Guest 0<")
  })

  it("changes nothing on GET", async () => {
    const id = await asks("Do you run trips in April?")
    const before = await site.tables()
    const paths = ["", `/${id}`, `/${id}?rows=500`, `/${id}/erase`, "/saved"]
    for (const path of paths) assert.strictEqual((await get(`/dashboard/inbox${path}`)).status, 200, path)
    for (const path of ["/dashboard/broadcast", `/dashboard/broadcast?date=2027-05-02`]) await get(path)
    assert.strictEqual(await site.tables(), before)
    await post(`/dashboard/inbox/${id}`, multipart({ do: "read" }))
    assert.isFalse((await threadOf(id)).unread)
  })

  it("sends a reply only once, with files that only staff can open", async () => {
    const id = await asks("Where do we park?")
    const form = () =>
      multipart({ do: "send", body: "Behind the boathouse.", key: "0199aaaa-0000-4000-8000-000000000001" }, [
        new File([png], "map.png")
      ])
    const { headers, status } = await post(`/dashboard/inbox/${id}`, form())
    assert.strictEqual(status, 303)
    assert.strictEqual(headers.get("location"), `/dashboard/inbox/${id}?done=sent`)
    const [, message] = await messagesOf(id)
    assert.strictEqual(message?.body, "Behind the boathouse.")
    const file = `/dashboard/files/${message?.attachments[0]?.id}`
    assert.include((await get(`/dashboard/inbox/${id}`)).html, `src="${file}"`)
    assert.strictEqual((await get(file)).headers.get("content-type"), "image/png")
    assert.strictEqual((await site.ask(file)).status, 303)
    // Resend without a file, because each upload creates a new file.
    const again = { do: "send", body: "And bring a towel.", key: "0199aaaa-0000-4000-8000-000000000002" }
    for (let n = 0; n < 2; n++) await post(`/dashboard/inbox/${id}`, multipart(again))
    assert.deepStrictEqual((await messagesOf(id)).map(({ body }) => body), [
      "Where do we park?",
      "Behind the boathouse.",
      "And bring a towel."
    ])
  })

  it("shows each email's delivery status and a reply's quoted text", async () => {
    const id = await asks("Where do we park?")
    for (const body of ["First.", "Second.", "Third."]) {
      await site.call("messages.send", { conversation_id: id, body })
    }
    const [question, first, second] = await messagesOf(id)
    const at = Instant.parse("2027-05-01T14:00:00Z") ?? Instant.min
    await site.tell(first?.id ?? "", { deliveredAt: at })
    await site.tell(second?.id ?? "", { deliveredAt: at, failedAt: at, failure: `550 ${hostile}` })
    await site.tell(question?.id ?? "", { cut: "> On Saturday you wrote" })
    const { html } = await get(`/dashboard/inbox/${id}`)
    const thread = html.slice(html.indexOf("First."))
    assert.match(thread, /First\..*· delivered.*Second\..*not delivered: .*550 &lt;img.*Third\..*· sending/s)
    assert.notInclude(html, hostile)
    assert.include(html, "> On Saturday you wrote")
  })

  it("shows a note to staff, but not to the guest", async () => {
    const booking = await site.book(tripId)
    const { conversation_id: id } = await site.call("messages.send", { booking_id: booking.id, body: "Hello." })
    await post(`/dashboard/inbox/${String(id)}`, multipart({ do: "note", body: "Small wetsuits are reserved." }))
    assert.include((await get(`/dashboard/inbox/${String(id)}`)).html, "Note (visible only to your team)")
    assert.notInclude((await site.ask(`/b/${booking.handle}`)).html, "Small wetsuits")
  })

  it("accepts files of up to 10 MB each", async () => {
    const id = await asks("Where do we park?")
    const map = (bytes: number) => new File(["%PDF-1.4\n%%EOF\n", " ".repeat(bytes - 15)], "map.pdf")
    const response = await post(
      `/dashboard/inbox/${id}`,
      multipart({ do: "send", body: "Two maps" }, [map(10 * 1024 * 1024), map(6_000_000)])
    )
    assert.strictEqual(response.status, 303, response.html)
    const rejection = await post(
      `/dashboard/inbox/${id}`,
      multipart({ do: "send", body: "Three" }, [map(10 * 1024 * 1024 + 1)])
    )
    assert.strictEqual(rejection.status, 422)
    assert.include(rejection.html, "at most 10 MB (10485760 bytes)")
  })

  it("shows a rejected reply again with its input and files", async () => {
    const id = await asks("Where do we park?")
    const files = [new File([png], "map.png"), new File(["no picture"], "notes.txt")]
    const { html, status } = await post(`/dashboard/inbox/${id}`, multipart({ do: "send", body: hostile }, files))
    assert.strictEqual(status, 422)
    assert.include(html, "Unsupported file type. Upload a JPEG, PNG, WebP, HEIC, or PDF.")
    assert.include(html, "&lt;img src=x onerror=")
    assert.notInclude(html, hostile)
    const keptFile = /name="kept0" value="([^"]+)"/.exec(html)?.[1] ?? ""
    assert.match(keptFile, /^[0-9a-f-]{36} map\.png$/)
    await post(`/dashboard/inbox/${id}`, multipart({ do: "send", body: "Here.", kept0: keptFile }))
    assert.deepStrictEqual((await messagesOf(id)).at(-1)?.attachments.map(({ name }) => name), ["map.png"])
    const long = await post(`/dashboard/inbox/${id}`, multipart({ do: "send", body: "x".repeat(5001) }))
    assert.strictEqual(long.status, 422)
    assert.include(long.html, "Your message: must be 1 to 5000 characters long")
    assert.include(long.html, "x".repeat(5001))
  })

  it("inserts a saved reply below the input without sending it", async () => {
    const id = await asks("Where do we park?")
    const { id: replyId } = await site.call("saved_replies.create", {
      title: "Parking",
      body: "Hi {first_name}, park behind us."
    })
    const { html, status } = await post(
      `/dashboard/inbox/${id}`,
      multipart({ do: "insert", saved: replyId, body: "Good day." })
    )
    assert.strictEqual(status, 200)
    assert.match(html, /<textarea[^>]*>Good day\.\n\nHi Bo, park behind us\.<\/textarea>/)
    assert.lengthOf(await messagesOf(id), 1)
    const none = await post(`/dashboard/inbox/${id}`, multipart({ do: "insert", saved: "", body: "Good day." }))
    assert.include(none.html, "Choose a saved reply first")
    assert.include(none.html, ">Good day.</textarea>")
  })

  it("refuses a saved reply with an unknown or empty variable", async () => {
    const id = await asks("Where do we park?")
    for (
      const [body, problem] of [
        ["Should {offering} not go, we call.", "{offering} has no value for this guest."],
        ["Hi {firstname}", "{firstname} is not a variable."]
      ] as const
    ) {
      const { id: replyId } = await site.call("saved_replies.create", { title: "Off", body })
      const { html } = await post(
        `/dashboard/inbox/${id}`,
        multipart({ do: "insert", saved: replyId, body: "Good day." })
      )
      assert.include(html, `was not inserted. ${problem}`)
      assert.include(html, ">Good day.</textarea>")
    }
    // The API still fills in the known placeholders.
    const { data } = await site.call("saved_replies.list", { conversation_id: id }) as unknown as {
      readonly data: ReadonlyArray<{ readonly text: string; readonly missing: ReadonlyArray<string> }>
    }
    assert.sameDeepMembers(data.map(({ missing, text }) => [text, missing]), [
      ["Hi {firstname}", ["firstname"]],
      ["Should  not go, we call.", ["offering"]]
    ])
  })

  it("offers a button that inserts a draft below the input", async () => {
    await site.close()
    site = await open({ isDrafting: true })
    cookie = await site.signIn("staff")
    const id = await asks("Where do we park?")
    assert.include((await get(`/dashboard/inbox/${id}`)).html, drafting)
    const { html, status } = await post(`/dashboard/inbox/${id}`, multipart({ do: "draft", body: "Good day." }))
    assert.strictEqual(status, 200)
    assert.match(html, /<textarea[^>]*>Good day\.\n\nWhere do we park\?<\/textarea>/)
    assert.include(html, "A language model wrote this draft. Review it before you send it.")
    assert.lengthOf(await messagesOf(id), 1)
  })

  it("offers no draft button without a language model", async () => {
    const id = await asks("Where do we park?")
    assert.notInclude((await get(`/dashboard/inbox/${id}`)).html, drafting)
    const { html, status } = await post(`/dashboard/inbox/${id}`, multipart({ do: "draft", body: "Good day." }))
    assert.strictEqual(status, 409)
    assert.include(html, "Drafts are disabled because no language model is configured.")
    assert.include(html, ">Good day.</textarea>")
  })

  it("marks conversations done, open, read, and unread", async () => {
    const id = await asks("Where do we park?")
    const markAs = async (what: string) => {
      await post(`/dashboard/inbox/${id}`, multipart({ do: what }))
      const { status, unread } = await threadOf(id)
      return [status, unread]
    }
    assert.deepStrictEqual(await markAs("read"), ["open", false])
    assert.deepStrictEqual(await markAs("unread"), ["open", true])
    assert.deepStrictEqual(await markAs("done"), ["done", true])
    assert.include((await get("/dashboard/inbox?status=done")).html, "Bo Ek")
    assert.deepStrictEqual(await markAs("open"), ["open", true])
  })

  it("snoozes conversations in the outfitter's time zone", async () => {
    const id = await asks("Where do we park?")
    const until = async (form: Readonly<Record<string, string>>) => {
      const { status } = await post(`/dashboard/inbox/${id}`, multipart(form))
      return [status, (await threadOf(id)).snoozed_until]
    }
    // The current time is Saturday, 8 AM in Denver.
    assert.deepStrictEqual(await until({ snooze: "hours" }), [303, "2027-05-01T17:00:00.000Z"])
    assert.deepStrictEqual(await until({ snooze: "tomorrow" }), [303, "2027-05-02T14:00:00.000Z"])
    assert.deepStrictEqual(await until({ snooze: "monday" }), [303, "2027-05-03T14:00:00.000Z"])
    assert.include((await get("/dashboard/inbox")).html, "Snoozed until Mon, May 3, 8:00")
    assert.deepStrictEqual(await until({ do: "wake" }), [303, null])
    assert.deepStrictEqual(await until({ snooze: "until", until: "2027-05-01T09:30" }), [
      303,
      "2027-05-01T15:30:00.000Z"
    ])
    for (const wrong of ["2027-05-01T07:00", "2027-02-31T07:00", "soon", ""]) {
      assert.deepStrictEqual(await until({ snooze: "until", until: wrong }), [422, "2027-05-01T15:30:00.000Z"])
    }
    assert.include(
      (await post(`/dashboard/inbox/${id}`, multipart({ snooze: "until", until: "2027-05-01T07:00" }))).html,
      "Until: must be in the future"
    )
  })

  it("warns before a question is erased", async () => {
    const id = await asks("Where do we park?")
    const { html } = await get(`/dashboard/inbox/${id}/erase`)
    assert.include(html, "This cannot be undone.")
    assert.include((await get(`/dashboard/inbox/${id}`)).html, `/dashboard/inbox/${id}/erase`)
    assert.strictEqual((await post(`/dashboard/inbox/${id}/erase`, {})).status, 303)
    assert.notInclude((await get("/dashboard/inbox")).html, "Bo Ek")
  })

  it("refuses to erase a guest with bookings", async () => {
    const booking = await site.book(tripId)
    const { conversation_id } = await site.call("messages.send", { booking_id: booking.id, body: "Hello." })
    const path = `/dashboard/inbox/${String(conversation_id)}/erase`
    const { html } = await get(path)
    assert.include(html, "has booked with you")
    assert.include(html, `href="/dashboard/guests/${booking.customer_id}"`)
    const before = await site.tables()
    const rejection = await post(path, {})
    assert.strictEqual(rejection.status, 409)
    assert.include(rejection.html, "Erase the customer instead.")
    assert.strictEqual(await site.tables(), before)
  })

  it("saves, changes, and deletes saved replies", async () => {
    const wrong = await post("/dashboard/inbox/saved", { title: "", body: hostile })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, "Title: must be 1 to 80 characters long.")
    assert.include(wrong.html, "&lt;img src=x")
    assert.notInclude(wrong.html, hostile)
    assert.strictEqual((await post("/dashboard/inbox/saved", { title: "Parking", body: "Behind us." })).status, 303)
    const { html } = await get("/dashboard/inbox/saved")
    const path = /href="(\/dashboard\/inbox\/saved\/[0-9a-f-]{36})"/.exec(html)?.[1] ?? ""
    await post(path, { title: "Parking lot", body: "Behind us." })
    assert.include((await get("/dashboard/inbox/saved")).html, "Parking lot")
    assert.include((await get(`${path}/delete`)).html, "This cannot be undone.")
    await post(`${path}/delete`, {})
    assert.include(
      (await get("/dashboard/inbox/saved")).html,
      "No saved replies yet. Start with a frequent question, such as where to park."
    )
    assert.strictEqual((await get(path)).status, 404)
  })

  it("shows that the guest paid in cash", async () => {
    const booking = await site.book(tripId)
    await site.call("payments.record", { id: booking.id, method: "cash", amount_cents: booking.total_cents })
    const { conversation_id } = await site.call("messages.send", { booking_id: booking.id, body: "Hello." })
    const { html } = await get(`/dashboard/inbox/${String(conversation_id)}`)
    assert.include(html, "<dd>$95 paid</dd>")
  })

  it("can start a conversation with a guest about a booking", async () => {
    const booking = await site.book(tripId)
    const path = `/dashboard/inbox/new?booking=${booking.id}`
    assert.include((await get(path)).html, "Write to Ada Lovelace")
    const { headers } = await post(path, multipart({ do: "send", body: "Bring a towel." }))
    const [, id = ""] = /^\/dashboard\/inbox\/([0-9a-f-]+)\?done=sent$/.exec(headers.get("location") ?? "") ?? []
    assert.deepStrictEqual((await messagesOf(id)).map(({ body }) => body), ["Bring a towel."])
  })

  it("returns the not-found page for an unknown conversation or file", async () => {
    const unknown = "0199aaaa-0000-7000-8000-00000000000f"
    for (
      const path of [`/dashboard/inbox/${unknown}`, `/dashboard/inbox/${unknown}/erase`, `/dashboard/files/${unknown}`]
    ) {
      assert.strictEqual((await get(path)).status, 404, path)
    }
    assert.strictEqual((await post(`/dashboard/inbox/${unknown}`, multipart({ do: "send", body: "Hi" }))).status, 404)
  })

  it("refuses forms from another site", async () => {
    const id = await asks("Where do we park?")
    const before = await site.tables()
    const headers = { cookie, "sec-fetch-site": "cross-site" }
    const { status } = await site.ask(`/dashboard/inbox/${id}`, {
      headers,
      form: multipart({ do: "send", body: "Hi" })
    })
    assert.strictEqual(status, 403)
    assert.strictEqual(await site.tables(), before)
  })

  it("escapes guests' names and messages", async () => {
    const id = await asks(`Hi ${hostile}`, `Eve ${hostile}`, "eve@example.com")
    for (const path of ["", `/${id}`, `/${id}/erase`]) {
      const { html } = await get(`/dashboard/inbox${path}`)
      assert.notInclude(html, hostile)
      assert.include(html, "&lt;img src=x")
    }
  })

  it("stays within 14 kB including styles", async () => {
    for (let n = 0; n < 35; n++) {
      await asks(`Question ${n} about the trip on Saturday`, `Guest ${n}`, `g${n}@example.com`)
    }
    const id = await asks("Where do we park?")
    for (let n = 0; n < 60; n++) {
      await site.call("messages.send", { conversation_id: id, body: `Answer ${n}, ${n * n} and some words more.` })
    }
    for (const path of ["/dashboard/inbox", `/dashboard/inbox/${id}`]) {
      assert.isAtMost(gzipSync((await get(path)).html).length, 14_000, path)
    }
  })

  it("shows the newest messages of a long thread", async () => {
    const id = await asks("Where do we park?")
    for (let n = 0; n < 45; n++) await site.call("messages.send", { conversation_id: id, body: `Answer ${n}.` })
    const { html } = await get(`/dashboard/inbox/${id}`)
    assert.include(html, ">Answer 44.<")
    assert.notInclude(html, ">Where do we park?</p>")
    assert.include(html, "Show earlier messages")
    assert.include((await get(`/dashboard/inbox/${id}?rows=500`)).html, ">Where do we park?</p>")
  })

  describe("group messages", () => {
    const form = { to: "date", date: "2027-05-02", body: "The river is high.", subject: "Tomorrow" }

    it("are previewed and sent once per recipient", async () => {
      await site.book(tripId, {}, 3)
      await site.book(tripId, { customer: { email: "jonas@example.com", name: "Jonas Weber" } }, 3)
      const before = await site.tables()
      const { html, status } = await post("/dashboard/broadcast", { ...form, do: "review" })
      assert.strictEqual(status, 200)
      assert.strictEqual(await site.tables(), before)
      assert.include(html, "2 recipients will get this message")
      assert.include(html, "Jonas Weber")
      for (let n = 0; n < 2; n++) {
        assert.include(
          (await post("/dashboard/broadcast", { ...form, do: "send", count: "2" })).html,
          "Sent to 2 recipients."
        )
      }
      const { data } = await site.call("messages.list", {}) as unknown as { readonly data: ReadonlyArray<object> }
      assert.lengthOf(data, 2)
    })

    it("require a value for each variable", async () => {
      await site.book(tripId, {}, 3)
      const sending = (body: string) =>
        post("/dashboard/broadcast", {
          to: "offering",
          offering: tripId,
          body,
          subject: "{offering}",
          count: "1",
          do: "send"
        })
      assert.include((await sending("Hi {firstname}")).html, "{firstname} is not a variable.")
      await site.call("offerings.update", { id: tripId, location: "" })
      assert.include((await sending("Meet at {meeting_point}")).html, "{meeting_point} has no value for this guest.")
      await sending("Hi {first_name}, bring a towel.")
      const { data } = await site.call("messages.list", {}) as unknown as {
        readonly data: ReadonlyArray<{ readonly body: string; readonly subject: string }>
      }
      assert.deepEqual(data.map(({ body, subject }) => [subject, body]), [[trip.name, "Hi Ada, bring a towel."]])
    })

    it("are not sent if the recipients have changed", async () => {
      await site.book(tripId, {}, 3)
      const { html } = await post("/dashboard/broadcast", { ...form, do: "send", count: "2" })
      assert.include(html, "The list of recipients has changed.")
      const { data } = await site.call("messages.list", {}) as unknown as { readonly data: ReadonlyArray<object> }
      assert.lengthOf(data, 0)
    })

    it("keep the input if fields are missing", async () => {
      const none = await post("/dashboard/broadcast", { ...form, to: "session", session: "", do: "review" })
      assert.strictEqual(none.status, 422)
      assert.include(none.html, "choose a departure")
      assert.include(none.html, "The river is high.")
      const empty = await post("/dashboard/broadcast", { ...form, body: " ", do: "review" })
      assert.include(empty.html, "Message: must be 1 to 5000 characters long.")
      const unknown = { ...form, to: "offering", offering: "0199aaaa-0000-7000-8000-00000000000f", do: "review" }
      assert.strictEqual((await post("/dashboard/broadcast", unknown)).status, 404)
      assert.include((await post("/dashboard/broadcast", { ...form, do: "review" })).html, "No recipients")
    })
  })
})
