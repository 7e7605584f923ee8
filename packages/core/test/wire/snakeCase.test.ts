import * as Instant from "@trailbook/core/time/Instant"
import { makeViewMapper, toPatch } from "@trailbook/core/wire/snakeCase"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

const View = Schema.Struct({
  org_id: Schema.String,
  min_notice_minutes: Schema.Int,
  last4: Schema.String,
  ends_at: Schema.String,
  revoked_at: Schema.NullOr(Schema.String)
})

const value = {
  orgId: "o",
  minNoticeMinutes: 5,
  last4: "abcd",
  endsAt: Instant.make(0),
  revokedAt: null,
  sealedSecret: "never told"
}

describe("snake_case conversion", () => {
  it("returns only the view's fields, in order", () => {
    const view = makeViewMapper(View)(value)
    assert.deepStrictEqual(Object.entries(view), [
      ["org_id", "o"],
      ["min_notice_minutes", 5],
      ["last4", "abcd"],
      ["ends_at", "1970-01-01T00:00:00.000Z"],
      ["revoked_at", null]
    ])
  })

  it("rejects a value that has a missing or invalid field", () => {
    const { minNoticeMinutes: _, ...less } = value
    // @ts-expect-error a field is missing
    makeViewMapper(View)(less)
    // @ts-expect-error a moment that is a text
    makeViewMapper(View)({ ...value, revokedAt: "1970-01-01T00:00:00.000Z" })
    // @ts-expect-error null where it never is
    assert.throws(() => Schema.encodeSync(View)(makeViewMapper(View)({ ...value, minNoticeMinutes: null })))
  })

  it("keeps null fields of a patch, and omits undefined fields", () => {
    assert.deepStrictEqual(toPatch({ quiet_from: null, name: "Ann", lat: undefined }), { quietFrom: null, name: "Ann" })
  })
})
