/** Tests that a conversation's counters match a count of its messages. */
import { type Conversation, isUnread, make, needsReply } from "@trailbook/core/conversation/Conversation"
import { type ConversationCommand, updateConversation } from "@trailbook/core/conversation/updateConversation"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const start = Instant.make(1_800_000_000_000)
const hour = 3_600_000

type Step =
  | { readonly _tag: "guest" | "outfitter" | "system" | "read" | "unread" | "done" | "open" | "snooze" }
  | { readonly _tag: "pass"; readonly hours: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.constantFrom("guest", "outfitter", "system", "read", "unread", "done", "open", "snooze").map(
    (_tag): Step => ({ _tag: _tag as "guest" })
  ),
  FastCheck.integer({ min: 1, max: 30 }).map((hours): Step => ({ _tag: "pass", hours }))
)

interface Line {
  readonly at: number
  readonly step: Step["_tag"]
}

/**
 * Applies the steps to a new conversation. `countsAll` simulates the mistake of treating an automatic message as the
 * outfitter's reply.
 */
const play = (steps: ReadonlyArray<Step>, countsAll = false) => {
  let conversation = make({ id: "c", orgId: "o", token: "t", createdAt: start })
  let at = start
  const lines: Array<Line> = []
  const acks: Array<number> = []
  const give = (command: ConversationCommand) => {
    const before = conversation
    conversation = updateConversation(conversation, command)
    return conversation !== before
  }
  steps.forEach((step, index) => {
    at = Instant.make(at + 1)
    lines.push({ at, step: step._tag })
    const messageId = `m${index}`
    switch (step._tag) {
      case "guest":
        give({ _tag: "GuestWrote", messageId, at, topic: "Rafting" })
        if (give({ _tag: "Acknowledge", at })) acks.push(at)
        break
      case "outfitter":
        give({ _tag: "OutfitterWrote", messageId, at })
        break
      case "read":
      case "unread":
        give({ _tag: "Mark", at, read: step._tag === "read" })
        break
      case "done":
      case "open":
        give({ _tag: "Mark", at, status: step._tag })
        break
      case "snooze":
        give({ _tag: "Mark", at, snoozedUntil: Instant.make(at + hour) })
        break
      case "pass":
        at = Instant.make(at + step.hours * hour)
        break
      case "system":
        if (countsAll) give({ _tag: "OutfitterWrote", messageId, at })
        break
    }
  })
  return { conversation, lines, acks }
}

const steps = FastCheck.array(step, { maxLength: 40 })

/** Compares the counters with the messages. */
const agrees = ({ conversation, lines }: ReturnType<typeof play>): void => {
  const people = lines.filter(({ step }) => step === "guest" || step === "outfitter")
  const lastGuest = lines.findLast(({ step }) => step === "guest")
  const mark = lines.findLast(({ step }) => step === "read" || step === "unread")
  const readAt = mark?.step === "read" ? mark.at : undefined
  expect(needsReply(conversation)).toBe(people.at(-1)?.step === "guest")
  expect(isUnread(conversation)).toBe(lastGuest !== undefined && (readAt === undefined || lastGuest.at > readAt))
  expect(conversation.lastBy).toBe(people.at(-1)?.step ?? null)
  expect(conversation.lastAt).toBe(people.at(-1)?.at ?? start)
  const statusLine = lines.findLast(({ step }) => step === "guest" || step === "done" || step === "open")
  expect(conversation.status).toBe(statusLine?.step === "done" ? "done" : "open")
  const snoozeLine = lines.findLast(({ step }) => step === "guest" || step === "snooze")
  expect(conversation.snoozedUntil).toBe(snoozeLine?.step === "snooze" ? snoozeLine.at + hour : null)
}

describe("a conversation", () => {
  it("derives its state from its messages", () => {
    FastCheck.assert(FastCheck.property(steps, (steps) => agrees(play(steps))))
  })

  it("would have the wrong state if automatic messages counted as replies", () => {
    const { failed } = FastCheck.check(FastCheck.property(steps, (steps) => agrees(play(steps, true))))
    expect(failed).toBe(true)
  })

  it("acknowledges a guest's message, but never twice in 24 hours", () => {
    FastCheck.assert(FastCheck.property(steps, (steps) => {
      const { acks, lines } = play(steps)
      const expected: Array<number> = []
      for (const { at, step } of lines) {
        if (step === "guest" && at - (expected.at(-1) ?? -Infinity) >= 24 * hour) expected.push(at)
      }
      expect(acks).toStrictEqual(expected)
    }))
  })

  it("keeps its last message when an older message arrives", () => {
    const at = (ms: number) => Instant.make(start + ms)
    const arrivals = [["guest", 2], ["outfitter", 1]] as const
    const conversation = arrivals.reduce((state, [by, ms]) =>
      updateConversation(
        state,
        by === "guest"
          ? { _tag: "GuestWrote", messageId: by, at: at(ms), topic: "Rafting" }
          : { _tag: "OutfitterWrote", messageId: by, at: at(ms) }
      ), make({ id: "c", orgId: "o", token: "t", createdAt: start }))
    expect(conversation.lastMessageId).toBe("guest")
  })

  it("takes its subject from the guest's latest message", () => {
    const wrote = (topics: ReadonlyArray<string>, from: number) =>
      topics.reduce(
        (state, topic, index) =>
          updateConversation(state, {
            _tag: "GuestWrote",
            messageId: topic,
            at: Instant.make(start + from + index),
            topic
          }),
        make({ id: "c", orgId: "o", token: "t", createdAt: start })
      )
    const conversation = wrote(["Rafting", "Parking"], 1)
    expect(conversation.subject).toBe("Parking")
    const takeIn = (other: Conversation) => updateConversation(conversation, { _tag: "TakeIn", other }).subject
    expect(takeIn(wrote(["Wetsuits"], 5))).toBe("Wetsuits")
    expect(takeIn(wrote(["Wetsuits"], 0))).toBe("Parking")
  })
})
