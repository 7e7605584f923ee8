import { availabilityGet } from "@trailbook/core/availability/availabilityOperations"
import { bookingsCreate, bookingsList, bookingsMove } from "@trailbook/core/booking/bookingOperations"
import { conversationsList } from "@trailbook/core/conversation/conversationOperations"
import { messagesBroadcast, messagesList, messagesSend } from "@trailbook/core/conversation/message/messageOperations"
import { savedRepliesCreate, savedRepliesUpdate } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import { customersList, customersUpdate, customersUpsert } from "@trailbook/core/customer/customerOperations"
import {
  offeringsCreate,
  offeringsDelete,
  offeringsList,
  offeringsSetHours,
  offeringsUpdate
} from "@trailbook/core/offering/offeringOperations"
import type { StructSchema } from "@trailbook/core/operation/Operation"
import { eventsList, orgUpdate } from "@trailbook/core/org/orgOperations"
import { proposalsApprove, proposalsList } from "@trailbook/core/proposal/proposalOperations"
import { sessionsCreate, sessionsList } from "@trailbook/core/session/sessionOperations"
import { webhooksCreate } from "@trailbook/core/webhook/webhookOperations"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { request } from "./read.ts"

const id = "01890a5d-ac96-774b-bcce-b302099a8057"
const raft = { name: "Raft", kind: "rental" }
const booking = { offering_id: id }
const session = { offering_id: id, starts_at: "2027-05-01T15:00:00Z" }
const ann = { email: "ann@a.co" }

type Op = { readonly name: string; readonly input: StructSchema }

const errorFor = ({ input }: Op, json: unknown): string | undefined =>
  Either.getOrUndefined(Either.flip(request(input, json)))

const withField = (input: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> => {
  const [head = "", ...rest] = path.split(".")
  if (rest.length === 0) return { ...input, [head]: value }
  const inner = input[head]
  return { ...input, [head]: withField(typeof inner === "object" ? { ...inner } : {}, rest.join("."), value) }
}

const title = (op: Op, path: string): string => `${op.name} ${path}`

/** Each row lists an operation, the other required input, a field, and the field's minimum and maximum. */
const numbers: ReadonlyArray<readonly [Op, Record<string, unknown>, string, number, number]> = [
  ...[offeringsCreate, offeringsUpdate].flatMap(
    (op): ReadonlyArray<readonly [Op, Record<string, unknown>, string, number, number]> => {
      const input = op === offeringsCreate ? raft : { id }
      return [
        [op, input, "duration_minutes", 5, 43_200],
        [op, input, "capacity", 1, 10_000],
        [op, input, "max_per_booking", 1, 10_000],
        [op, input, "price_cents", 0, 10_000_000_000],
        [op, input, "slot_interval_minutes", 5, 1440],
        [op, input, "buffer_minutes", 0, 1440],
        [op, input, "min_notice_minutes", 0, 43_200],
        [op, input, "max_advance_days", 1, 730],
        [op, input, "max_periods", 1, 60]
      ]
    }
  ),
  [bookingsCreate, booking, "quantity", 1, 10_000],
  [bookingsCreate, booking, "periods", 1, 60],
  [bookingsCreate, booking, "hold_minutes", 5, 1440],
  [sessionsCreate, session, "repeat_weeks", 1, 52],
  [sessionsCreate, session, "capacity", 1, 10_000],
  [availabilityGet, { id }, "periods", 1, 60],
  [availabilityGet, { id }, "quantity", 1, 10_000],
  [orgUpdate, {}, "brief_hour", 0, 23],
  [orgUpdate, {}, "ops_daily_cap", 1, 500],
  [orgUpdate, {}, "quiet_from", 0, 23],
  [orgUpdate, {}, "quiet_to", 0, 23],
  [orgUpdate, {}, "refund_ceiling_cents", 0, Number.MAX_SAFE_INTEGER],
  [orgUpdate, {}, "guest_changes_hours", 0, 720],
  [eventsList, {}, "after", 0, Number.MAX_SAFE_INTEGER],
  ...[
    offeringsList,
    bookingsList,
    sessionsList,
    customersList,
    conversationsList,
    messagesList,
    proposalsList,
    eventsList
  ].map((op) => [op, {}, "limit", 1, 500] as const)
]

const nullable = new Set([
  "slot_interval_minutes",
  "quiet_from",
  "quiet_to",
  "refund_ceiling_cents",
  "guest_changes_hours",
  "sessions.create capacity"
])

describe("an integer field", () => {
  it.each(numbers.map((row) => [title(row[0], row[2]), ...row] as const))(
    "%s accepts only values between its minimum and maximum",
    (name, op, input, path, least, most) => {
      const isNullable = nullable.has(path) || nullable.has(name)
      const sentence = `${path}: must be a whole number from ${least} to ${most}${isNullable ? ", or null" : ""}`
      for (const value of [least, least + 1, most - 1, most]) {
        expect(errorFor(op, withField(input, path, value))).toBeUndefined()
      }
      const wrong = [least - 1, most + 1, least + 0.5, `${least}`, "", true, [least], {}, JSON.parse("1e400"), 2 ** 60]
      for (const value of wrong) expect(errorFor(op, withField(input, path, value))).toBe(sentence)
      expect(errorFor(op, withField(input, path, null))).toBe(isNullable ? undefined : sentence)
    }
  )
})

/** Each row lists an operation, the other required input, a field, and the field's minimum and maximum length. */
const texts: ReadonlyArray<readonly [Op, Record<string, unknown>, string, number, number]> = [
  [offeringsCreate, raft, "name", 1, 120],
  [offeringsUpdate, { id }, "name", 1, 120],
  [offeringsCreate, raft, "description", 0, 2000],
  [offeringsCreate, raft, "location", 0, 200],
  [bookingsCreate, booking, "notes", 0, 2000],
  [bookingsCreate, { ...booking, customer: ann }, "customer.name", 0, 120],
  [bookingsCreate, { ...booking, customer: ann }, "customer.phone", 0, 40],
  [customersUpsert, ann, "name", 0, 120],
  [customersUpsert, ann, "phone", 0, 40],
  [customersUpsert, ann, "notes", 0, 5000],
  [customersUpdate, { id }, "notes", 0, 5000],
  [customersList, {}, "q", 0, 100],
  [conversationsList, {}, "q", 0, 200],
  [messagesSend, { conversation_id: id }, "body", 1, 5000],
  [messagesSend, { conversation_id: id, body: "Hello." }, "subject", 0, 200],
  [messagesBroadcast, { target: { date: "2027-05-01" } }, "body", 1, 5000],
  [messagesBroadcast, { target: { date: "2027-05-01" }, body: "Hello." }, "subject", 0, 200],
  [savedRepliesCreate, { body: "Hello." }, "title", 1, 80],
  [savedRepliesCreate, { title: "Hello" }, "body", 1, 5000],
  [savedRepliesUpdate, { id }, "title", 1, 80],
  [savedRepliesUpdate, { id }, "body", 1, 5000],
  [proposalsApprove, { id }, "draft.body", 1, 5000],
  [proposalsApprove, { id, draft: { body: "Hello." } }, "draft.subject", 0, 200],
  [orgUpdate, {}, "name", 1, 80],
  [eventsList, {}, "type", 1, 60]
]

describe("a text field", () => {
  it.each(texts.map((row) => [title(row[0], row[2]), ...row] as const))(
    "%s accepts at most its maximum number of code points",
    (_, op, input, path, fewest, most) => {
      const sentence = fewest === 0
        ? `${path}: must be at most ${most} characters long`
        : `${path}: must be ${fewest} to ${most} characters long`
      for (const letter of ["a", "é", "👍"]) {
        expect(errorFor(op, withField(input, path, letter.repeat(most)))).toBeUndefined()
        expect(errorFor(op, withField(input, path, letter.repeat(most + 1)))).toBe(sentence)
      }
      expect(errorFor(op, withField(input, path, `  ${"a".repeat(most)}\n`))).toBeUndefined()
      for (const blank of ["", " \t"]) {
        expect(errorFor(op, withField(input, path, blank))).toBe(fewest === 0 ? undefined : sentence)
      }
      for (const wrong of [null, 1, ["a"], {}]) {
        expect(errorFor(op, withField(input, path, wrong))).toBe(`${path}: must be text`)
      }
      for (const wrong of ["a\0", "\ud83d"]) {
        expect(errorFor(op, withField(input, path, wrong))).toBe(
          `${path}: must not contain NUL or an unpaired surrogate`
        )
      }
    }
  )
})

describe("request validation", () => {
  it.each<[Op, unknown, string]>([
    [offeringsCreate, {}, "name: is required"],
    [offeringsCreate, { name: "Raft" }, "kind: is required"],
    [offeringsCreate, { ...raft, kind: "tour" }, "kind: must be one of class, appointment, rental"],
    [offeringsUpdate, { id: "1" }, "id: must be a UUID"],
    [offeringsDelete, { id, cancel_bookings: "true" }, "cancel_bookings: must be true or false"],
    [
      bookingsCreate,
      { ...booking, customer: { email: "walk-in-1@guests.invalid" } },
      "customer.email: must be one email address of at most 254 characters"
    ],
    [
      bookingsCreate,
      { ...booking, customer: { email: "ann" } },
      "customer.email: must be one email address of at most 254 characters"
    ],
    [bookingsCreate, { ...booking, idempotency_key: "1" }, "idempotency_key: must be a UUID"],
    [
      bookingsMove,
      { id, starts_at: "soon" },
      "starts_at: must be an ISO 8601 instant with Z or an offset, such as 2027-05-01T15:00:00Z, with a year from 1970 to 9999"
    ],
    [
      availabilityGet,
      { id, from: "2027-02-29" },
      "from: must be a valid date in the format YYYY-MM-DD, with a year from 1970 to 9999"
    ],
    [offeringsSetHours, { id }, "hours: is required"],
    [
      offeringsSetHours,
      { id, hours: [{ weekday: 7, start_time: "09:00", end_time: "10:00" }] },
      "hours.0.weekday: must be a whole number from 0 to 6"
    ],
    [offeringsSetHours, { id, hours: [{ weekday: 1, start_time: "09:00" }] }, "hours.0.end_time: is required"],
    [
      offeringsSetHours,
      {
        id,
        hours: [{ weekday: 1, start_time: "09:00", end_time: "10:00" }, {
          weekday: 1,
          start_time: "24:01",
          end_time: "10:00"
        }]
      },
      "hours.1.start_time: must be a time from 00:00 to 24:00, in the format HH:MM or HH:MM:SS"
    ],
    [customersUpsert, { ...ann, metadata: [] }, "metadata: must be a JSON object"],
    ...["example.com", "ftp://a.co", "https://me@a.co", "https://a.co/#a", "https://a.co/ b", "https://"].map((url) =>
      [
        webhooksCreate,
        { url },
        "url: must be an https URL of at most 2000 characters, without a username or a fragment"
      ] as [Op, unknown, string]
    )
  ])("names the invalid field and its requirement: %o, %o, %s", (op, json, message) => {
    expect(errorFor(op, json)).toBe(message)
  })

  it.each<[Op, unknown, string, ReadonlyArray<string>]>([
    [offeringsCreate, { ...raft, color: "red" }, "color", Object.keys(offeringsCreate.input.fields)],
    [offeringsCreate, { ...raft, hours: [] }, "hours", Object.keys(offeringsCreate.input.fields)],
    [
      offeringsCreate,
      JSON.parse("{\"name\":\"Raft\",\"kind\":\"rental\",\"__proto__\":{}}"),
      "__proto__",
      Object.keys(offeringsCreate.input.fields)
    ],
    [offeringsUpdate, { id, kind: "class" }, "kind", Object.keys(offeringsUpdate.input.fields)],
    [bookingsCreate, { ...booking, customer: { ...ann, notes: "" } }, "customer.notes", ["email", "name", "phone"]],
    [
      offeringsSetHours,
      { id, hours: [{ weekday: 1, start_time: "09:00", end_time: "10:00", closed: true }] },
      "hours.0.closed",
      ["weekday", "start_time", "end_time", "valid_from", "valid_until", "date"]
    ],
    [customersUpdate, { id, erased_at: null }, "erased_at", Object.keys(customersUpdate.input.fields)],
    [orgUpdate, { slug: "mine" }, "slug", Object.keys(orgUpdate.input.fields)],
    [orgUpdate, { plan: "pro" }, "plan", Object.keys(orgUpdate.input.fields)]
  ])("names an unknown field and lists the known ones: %o, %o", (op, json, path, fieldNames) => {
    expect(fieldNames.length).toBeGreaterThan(2)
    expect(errorFor(op, json)).toBe(`${path}: is not a field of this request. Known fields: ${fieldNames.join(", ")}.`)
  })

  it("rejects a request that is not an object", () => {
    for (const json of [null, [], "{}", 1, true]) expect(errorFor(offeringsCreate, json)).toMatch(/^The request /)
  })

  it("accepts at most 50 opening hours", () => {
    const hours = (n: number) =>
      Array.from({ length: n }, () => ({ weekday: 1, start_time: "09:00", end_time: "10:00" }))
    expect(errorFor(offeringsSetHours, { id, hours: hours(50) })).toBeUndefined()
    expect(errorFor(offeringsSetHours, { id, hours: hours(51) })).toBe("hours: must have at most 50 items")
    expect(errorFor(offeringsSetHours, { id, hours: [] })).toBeUndefined()
  })

  it("accepts 1 to 30 event types", () => {
    const url = "https://a.co/hook?at=1"
    const types = (n: number) => Array.from({ length: n }, () => "booking.moved")
    expect(errorFor(webhooksCreate, { url })).toBeUndefined()
    expect(errorFor(webhooksCreate, { url, events: types(1) })).toBeUndefined()
    expect(errorFor(webhooksCreate, { url, events: types(30) })).toBeUndefined()
    expect(errorFor(webhooksCreate, { url, events: [] })).toBe("events: must have 1 to 30 items")
    expect(errorFor(webhooksCreate, { url, events: types(31) })).toBe("events: must have at most 30 items")
  })

  it("accepts at most 5 files, with names of at most 1000 characters", () => {
    const message = { conversation_id: id, body: "Hello." }
    const files = (n: number, name = "map.pdf") => ({
      ...message,
      attachments: Array.from({ length: n }, () => ({ id, name }))
    })
    for (const right of [files(0), files(5), files(1, "x".repeat(1000))]) {
      expect(errorFor(messagesSend, right)).toBeUndefined()
    }
    expect(errorFor(messagesSend, files(6))).toBe("attachments: must have at most 5 items")
    expect(errorFor(messagesSend, files(1, "x".repeat(1001)))).toBe(
      "attachments.0.name: must be at most 1000 characters long"
    )
    for (const field of ["id", "name"]) {
      const attachments = [{ id, name: "map.pdf", [field]: undefined }].map((file) => JSON.parse(JSON.stringify(file)))
      expect(errorFor(messagesSend, { ...message, attachments })).toBe(`attachments.0.${field}: is required`)
    }
  })

  it("accepts only valid latitudes and longitudes", () => {
    for (const [lat, lon] of [[90, 180], [-90, -180], [0, 0], [null, null]]) {
      expect(errorFor(offeringsCreate, { ...raft, lat, lon })).toBeUndefined()
    }
    expect(errorFor(offeringsCreate, { ...raft, lat: 90.1, lon: 0 })).toBe(
      "lat: must be a number from -90 to 90, or null"
    )
    expect(errorFor(offeringsCreate, { ...raft, lat: 0, lon: "0" })).toBe(
      "lon: must be a number from -180 to 180, or null"
    )
  })
})
