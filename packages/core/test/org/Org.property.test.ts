import * as Org from "@trailbook/core/org/Org"
import { orgView } from "@trailbook/core/org/OrgView"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { text } from "../generators/text.ts"

const hour = FastCheck.integer({ min: 0, max: 23 })
const maybe = <A>(arbitrary: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<A | null> => FastCheck.option(arbitrary)

const patch: FastCheck.Arbitrary<Org.OrgPatch> = FastCheck.record(
  {
    name: text(80),
    timezone: FastCheck.constantFrom("UTC", "Asia/Kathmandu"),
    currency: FastCheck.constantFrom("usd", "eur"),
    plan: FastCheck.constantFrom(...Org.plans),
    replyWindow: maybe(text(20)),
    autoAck: FastCheck.boolean(),
    awayNotice: maybe(text(20)),
    reviewUrl: maybe(FastCheck.webUrl()),
    briefHour: hour,
    opsDailyCap: FastCheck.integer({ min: 1, max: 500 }),
    quietFrom: maybe(hour),
    quietTo: maybe(hour),
    refundCeilingCents: maybe(FastCheck.nat()),
    guestChangesHours: maybe(FastCheck.integer({ min: 0, max: 720 })),
    accent: maybe(FastCheck.constantFrom("#000000", "#ffffff"))
  },
  { requiredKeys: [] }
)

const first = Org.make({ id: "org", name: "Salida River Co.", slug: "salida", timezone: "UTC", createdAt: Instant.min })

it("updates only the given fields of an org", () => {
  let refusalCount = 0
  FastCheck.assert(
    FastCheck.property(FastCheck.array(patch, { minLength: 1, maxLength: 5 }), (patches) => {
      let org = first
      for (const patch of patches) {
        const result = Org.update(org, patch)
        const after = { ...org, ...patch }
        if ((after.quietFrom === null) !== (after.quietTo === null)) {
          expect(Either.getLeft(result)).toMatchObject({ value: { code: "invalid_request" } })
          refusalCount++
          continue
        }
        const state = Either.getOrThrow(result)
        expect(state).toEqual(after)
        expect(state === org).toBe(JSON.stringify(after) === JSON.stringify(org))
        expect(Either.getOrThrow(Org.update(state, patch))).toBe(state)
        org = state
      }
    }),
    { numRuns: 500 }
  )
  expect(refusalCount).toBeGreaterThan(50)
})

it("creates an org with the default settings", () => {
  expect(orgView(first)).toEqual({
    id: "org",
    name: "Salida River Co.",
    slug: "salida",
    timezone: "UTC",
    currency: "usd",
    reply_window: null,
    auto_ack: false,
    away_notice: null,
    review_url: null,
    brief_hour: 6,
    ops_daily_cap: 50,
    quiet_from: 21,
    quiet_to: 7,
    refund_ceiling_cents: null,
    guest_changes_hours: null,
    accent: null,
    logo_url: null,
    cover_url: null,
    confirm_email: false,
    fees: [],
    phone: null,
    cancellation_policy: null,
    staff_may_refund: false,
    units: null,
    created_at: "1970-01-01T00:00:00.000Z"
  })
  expect(first.plan).toBe("free")
})
