import * as Conversation from "@trailbook/core/conversation/Conversation"
import {
  compareInboxOrder,
  decodeInboxCursor,
  encodeInboxCursor,
  toInboxCursor
} from "@trailbook/core/conversation/ConversationStore"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const now = Instant.make(1000)
const instant = FastCheck.integer({ min: 990, max: 1010 }).map(Instant.make)

const conversation = FastCheck.record({
  id: FastCheck.uuid(),
  lastBy: FastCheck.constantFrom("guest" as const, "outfitter" as const),
  lastAt: instant,
  snoozedUntil: FastCheck.option(instant)
}).map((fields) => ({ ...Conversation.make({ orgId: "o", token: "t", createdAt: now, ...fields }), ...fields }))

describe("the inbox", () => {
  it("lists conversations that need a reply first, and snoozed ones last", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(conversation), (rows) => {
      const sortedRows = rows.toSorted((a, b) => compareInboxOrder(toInboxCursor(a, now), toInboxCursor(b, now)))
      const isSnoozed = (row: typeof rows[number]) => row.snoozedUntil !== null && row.snoozedUntil > now
      const awakeRows = sortedRows.filter((row) => !isSnoozed(row))
      const order = (rows: typeof sortedRows) =>
        [
          ...rows.filter(({ lastBy }) => lastBy === "guest").toSorted((a, b) => b.lastAt - a.lastAt),
          ...rows.filter(({ lastBy }) => lastBy !== "guest").toSorted((a, b) => b.lastAt - a.lastAt)
        ].map(({ lastAt, lastBy }) => ({ lastAt, lastBy }))
      expect(sortedRows.map(({ lastAt, lastBy }) => ({ lastAt, lastBy }))).toStrictEqual([
        ...order(awakeRows),
        ...order(sortedRows.filter(isSnoozed))
      ])
    }))
  })

  it("assigns each conversation exactly one position", () => {
    FastCheck.assert(FastCheck.property(conversation, conversation, (a, b) => {
      const [one, other] = [toInboxCursor(a, now), toInboxCursor(b, now)]
      expect(compareInboxOrder(one, other) === 0).toBe(JSON.stringify(one) === JSON.stringify(other))
      expect(compareInboxOrder(one, other) < 0).toBe(compareInboxOrder(other, one) > 0)
    }))
  })

  it("continues a list from an inbox cursor, and rejects invalid cursors", () => {
    FastCheck.assert(FastCheck.property(conversation, (row) => {
      const after = toInboxCursor(row, now)
      expect(Effect.runSync(decodeInboxCursor(encodeInboxCursor(now, after)))).toStrictEqual({ now, after })
    }))
    FastCheck.assert(FastCheck.property(FastCheck.string(), (text) => {
      expect(Effect.runSync(Effect.flip(decodeInboxCursor(text))).code).toBe("invalid_request")
    }))
  })
})
