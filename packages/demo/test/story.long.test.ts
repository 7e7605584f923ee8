import { availabilityGet } from "@trailbook/core/availability"
import { bookingsList } from "@trailbook/core/booking"
import { conversationsGet, conversationsList, savedRepliesList } from "@trailbook/core/conversation"
import { customersList } from "@trailbook/core/customer"
import { Mailer } from "@trailbook/core/mail"
import { offeringsList } from "@trailbook/core/offering"
import { eventsList, orgGet } from "@trailbook/core/org"
import { EventLog } from "@trailbook/core/port"
import { sessionsList } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as MemoryStorage from "@trailbook/memory"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { callOperation } from "../src/callOperation.ts"
import { makeStoryClock } from "../src/runStory.ts"
import { seedDemo } from "../src/seedDemo.ts"

const publicUrl = "http://127.0.0.1:4000"

/** Creates the story as of `now` and reads it through the API. */
const readStory = (options: { readonly seed: number; readonly now: number }) => {
  const now = Instant.make(options.now)
  const mails: Array<{ readonly subject: string; readonly to: string }> = []
  const mailer = Layer.succeed(Mailer, {
    send: ({ subject, to }) =>
      Effect.sync(() => {
        mails.push({ subject, to: to.email })
        return { reportRequested: false }
      })
  })
  const story = Effect.gen(function*() {
    const { offerings: { brownsCanyon, familyFloat }, org } = yield* seedDemo({
      seed: options.seed,
      now,
      publicUrl,
      files: FakeFiles.layer
    })
    const as = { orgId: org.id, source: "api" as const }
    const ask = Effect.all({
      org: callOperation(as, orgGet, {}),
      offerings: callOperation(as, offeringsList, {}),
      sessions: callOperation(as, sessionsList, { limit: 500 }),
      bookings: callOperation(as, bookingsList, { limit: 500 }),
      customers: callOperation(as, customersList, { limit: 500 }),
      events: callOperation(as, eventsList, { limit: 500 }),
      conversations: Effect.flatMap(
        callOperation(as, conversationsList, {}),
        ({ data }) => Effect.forEach(data, ({ id }) => callOperation(as, conversationsGet, { id }))
      ),
      savedReplies: callOperation(as, savedRepliesList, {}),
      availability: callOperation(as, availabilityGet, { id: brownsCanyon })
    })
    const responses = yield* ask.pipe(
      Effect.provide(engineLayer(NodeIds.layer, "none")),
      Effect.withClock(makeStoryClock(now))
    )
    return { ...responses, familyFloat, mails, log: yield* (yield* EventLog).latest(org.id, 500) }
  })
  return Effect.runPromise(Effect.provide(story, Layer.merge(MemoryStorage.layer, mailer)))
}

const morning = Date.parse("2027-05-12T15:00:00Z")

let cachedStory: ReturnType<typeof readStory> | undefined
/** Creates the story once and shares it among all tests that only read it. */
const season = () => cachedStory ??= readStory({ seed: 7, now: morning })

describe("the demo data", () => {
  it("covers every kind of offering, on real rivers", async () => {
    const { offerings } = await season()
    expect(offerings.data.map(({ gauge_site, kind }) => `${kind} ${gauge_site}`).toSorted()).toEqual([
      "appointment 07091200",
      "class 07091200",
      "class 07093700",
      "rental 09315000"
    ])
    for (const { lat, lon } of offerings.data) {
      // The location must be between the Rockies and the canyons.
      expect(lat).toBeGreaterThan(38)
      expect(lat).toBeLessThan(40)
      expect(lon).toBeGreaterThan(-111)
      expect(lon).toBeLessThan(-105)
    }
  })

  it("has a departure with 11 of 12 seats taken", async () => {
    const { availability, sessions } = await season()
    const [next, second] = availability.data
    expect(next).toMatchObject({ capacity: 12, remaining: 1 })
    expect(sessions.data.find(({ id }) => id === next?.session_id)).toMatchObject({ booked: 11 })
    expect(second).toMatchObject({ capacity: 12, remaining: 10 })
  })

  it("includes bookings with every status, from three sources", async () => {
    const { bookings, offerings } = await season()
    const holds = bookings.data.filter(({ status }) => status === "held")
    expect(holds).toHaveLength(1)
    expect(Instant.parse(holds[0]?.expires_at ?? "")).toBeGreaterThan(morning + 11 * 3_600_000)
    const now = new Date(morning).toISOString()
    const countOf = (predicate: (booking: (typeof bookings.data)[number]) => boolean) =>
      bookings.data.filter(predicate).length
    expect(countOf(({ status }) => status === "cancelled")).toBeGreaterThan(2)
    expect(countOf(({ previous }) => previous !== undefined)).toBeGreaterThan(2)
    expect(countOf(({ ends_at }) => ends_at < now)).toBeGreaterThan(20)
    expect(countOf(({ starts_at }) => starts_at > now)).toBeGreaterThan(20)
    expect(countOf(({ notes }) => notes !== "")).toBeGreaterThan(10)
    // The payment references show that no money is involved.
    const paidBookings = bookings.data.filter(({ paid_at }) => paid_at !== null)
    expect(paidBookings.length).toBeGreaterThan(10)
    for (const { payment_intent_id } of paidBookings) expect(payment_intent_id).toMatch(/^demo_no_money_/)
    expect(new Set(bookings.data.map(({ source }) => source))).toEqual(new Set(["dashboard", "api", "widget"]))
    expect(new Set(bookings.data.map(({ offering_id }) => offering_id)).size).toBe(offerings.data.length)
  })

  it("has a few dozen guests with fictitious contact details", async () => {
    const { customers } = await season()
    expect(customers.data.length).toBeGreaterThan(25)
    expect(new Set(customers.data.map(({ email }) => email)).size).toBe(customers.data.length)
    for (const { email, phone } of customers.data) {
      expect(email).toMatch(/^[a-z.-]+@example\.com$/)
      expect(phone).toMatch(/ 555 01\d\d$/)
    }
  })

  it("includes one email for each booking change", async () => {
    const { bookings, mails } = await season()
    const count = (those: (booking: (typeof bookings.data)[number]) => boolean) => bookings.data.filter(those).length
    const mailed = (word: RegExp) => mails.filter(({ subject }) => word.test(subject)).length
    expect(mailed(/confirmed/i)).toBe(count(({ status }) => status !== "held"))
    expect(mailed(/canceled/i)).toBe(count(({ status }) => status === "cancelled"))
    expect(mailed(/new booking time/i)).toBe(count(({ previous }) => previous !== undefined))
    // All other emails are messages.
    const { conversations } = await season()
    const sentMessages = conversations.flatMap(({ thread }) => thread).filter(({ message, type }) =>
      type === "message" && message?.direction === "to_guest"
    )
    expect(mails).toHaveLength(mailed(/confirmed|canceled|new booking time/i) + sentMessages.length)
  })

  it("lists unanswered conversations first and snoozed ones last", async () => {
    const { conversations } = await season()
    const rows = conversations.map((
      { customer, from_name, needs_reply, snoozed_until, status, unread }
    ) => [
      from_name ?? (customer === null ? "nobody" : "guest"),
      status,
      ...(needs_reply ? ["waits"] : []),
      ...(unread ? ["unread"] : []),
      ...(snoozed_until === null ? [] : ["snoozed"])
    ])
    expect(rows).toEqual([
      ["Nadia Brandt", "open", "waits", "unread"],
      ["guest", "open", "waits", "unread"],
      ["guest", "open"],
      ["guest", "done"],
      ["guest", "done"],
      ["guest", "open", "snoozed"]
    ])
  })

  it("includes a guest who asked a question before booking", async () => {
    const { conversations } = await season()
    const question = conversations.find(({ thread }) =>
      thread.some(({ message }) => message?.body.includes("Mineral Bottom?"))
    )
    expect(question?.customer?.name).toBe(
      question?.thread.find(({ message }) => message?.sent_by === "guest")?.message?.from_name
    )
    const types = question?.thread.map(({ event, type }) => event ?? type)
    expect(types?.indexOf("booking.confirmed")).toBeGreaterThan(types?.indexOf("message") ?? -1)
  })

  it("includes a picture, a bounced email, and saved replies", async () => {
    const { conversations, savedReplies } = await season()
    const messages = conversations.flatMap(({ thread }) => thread).flatMap(({ message }) => message ?? [])
    const withPicture = messages.find(({ attachments }) => attachments.length > 0)
    expect(withPicture).toMatchObject({
      channel: "email",
      direction: "to_outfitter",
      attachments: [{ name: "our-raft.png", type: "image/png" }]
    })
    const failedMessages = messages.filter(({ failed_at }) => failed_at !== null)
    expect(failedMessages).toMatchObject([{ sent_by: "dashboard", direction: "to_guest" }])
    expect(messages.filter(({ kind }) => kind === "note")).toHaveLength(1)
    // Guests who wrote in got an acknowledgment, at most once a day.
    expect(messages.filter(({ channel }) => channel === "system").length).toBe(5)
    for (const { body } of savedReplies.data) expect(body).toMatch(/^Hi \{first_name\},\n/)
    expect(savedReplies.data).toHaveLength(4)
  })

  it("contains only past events, in chronological order", async () => {
    const { events, log } = await season()
    expect(events.data.map(({ id }) => id)).toEqual(log.map(({ id }) => id))
    const times = log.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(Math.max(...times)).toBeLessThanOrEqual(morning)
  })
})

describe("a seed", () => {
  it("creates identical data within the same morning or afternoon", async () => {
    const withoutHold = ({ bookings, log, mails, org }: Awaited<ReturnType<typeof readStory>>) => ({
      org,
      mails,
      bookings: bookings.data.map((booking) => ({ ...booking, created_at: "", expires_at: "", ends_at: "" })),
      ids: log.map(({ id, type }) => [id, type])
    })
    // These times are 07:01, 11:59, 12:00, and 23:59 in Salida. The API returns events once they are 2 seconds old.
    const times = ["13:01:00", "17:59:59", "18:00:02", "29:59:00"]
    const [early, late, noon, night] = await Promise.all(times.map((time) => {
      const [hour = 0, ...rest] = time.split(":").map((part) => Number.parseInt(part, 10))
      return readStory({ seed: 7, now: Date.UTC(2027, 4, 12, hour, ...rest) })
    }))
    if (early === undefined || late === undefined || noon === undefined || night === undefined) throw new Error("none")
    expect(late).toEqual(early)
    expect(night).toEqual(noon)
    expect(noon).not.toEqual(early)
    expect(withoutHold(noon).bookings.length).toBe(withoutHold(early).bookings.length)
  })

  it("creates different guests and IDs than another seed", async () => {
    const [seven, eight] = await Promise.all([7, 8].map((seed) => readStory({ seed, now: morning })))
    expect(eight?.org.id).not.toBe(seven?.org.id)
    expect(eight?.mails).not.toEqual(seven?.mails)
    const starts = (of: typeof seven) => of?.sessions.data.map(({ starts_at }) => starts_at)
    expect(starts(eight)).toEqual(starts(seven))
  })

  it("creates the same events on any day", async () => {
    const types = async (now: number) => (await readStory({ seed: 7, now })).log.map(({ type }) => type)
    const first = await types(morning)
    for (const date of ["2026-11-04T20:00:00Z", "2027-03-16T05:00:00Z"]) {
      expect(await types(Date.parse(date))).toEqual(first)
    }
  })

  it("leaves enough seats for the scripted guests", async () => {
    // With the first three seeds, demand exceeds the seats that the story's guests leave free.
    for (const seed of [16, 38, 998, 7]) {
      const { familyFloat, sessions } = await readStory({ seed, now: morning })
      const tomorrow = new Date(morning + 86_400_000).toISOString().slice(0, 10)
      const float = sessions.data.find(({ offering_id, starts_at }) =>
        offering_id === familyFloat && starts_at.startsWith(tomorrow)
      )
      expect(float, `seed ${seed}`).toMatchObject({ booked: 7 })
    }
  })

  it("creates an active hold at any time", async () => {
    const day = FastCheck.integer({ min: Date.UTC(2026, 10, 1), max: Date.UTC(2029, 0, 1) })
    // These times are around both DST changes of 2027 in Colorado: 02:30 does not exist in March, and 01:30 exists
    // twice in November.
    const change = FastCheck.constantFrom(Date.UTC(2027, 2, 14, 9), Date.UTC(2027, 10, 7, 8))
    const near = FastCheck.tuple(change, FastCheck.integer({ min: -10 * 86_400_000, max: 10 * 86_400_000 })).map((
      [at, by]
    ) => at + by)
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.oneof(day, near), FastCheck.nat(1000), async (now, seed) => {
        const { availability, bookings, log } = await readStory({ seed, now })
        expect(availability.data.slice(0, 2).map(({ remaining }) => remaining)).toEqual([1, 10])
        const expires = bookings.data.find(({ status }) => status === "held")?.expires_at ?? ""
        expect(Instant.parse(expires)).toBeGreaterThan(now + 10 * 3_600_000)
        expect(Math.max(...log.map(({ createdAt }) => createdAt))).toBeLessThanOrEqual(now)
      }),
      { numRuns: 6, examples: [[1_805_014_800_000, 998]] }
    )
  })
})
