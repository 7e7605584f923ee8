import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingStore } from "../../booking/BookingStore.ts"
import { getGuestName } from "../../booking/BookingView.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { Ids } from "../../port/Ids.ts"
import { PublicUrl } from "../../port/PublicUrl.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { invalid, type Refusal } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import { ConversationStore } from "../ConversationStore.ts"
import { makeLoadGuestContact } from "../findConversation.ts"
import {
  findMissingVariableNames,
  getBookingTemplateValues,
  getGreetingName,
  maxSavedReplies,
  renderTemplate,
  type SavedReply,
  type SavedReplyPatch,
  SavedReplyStore,
  type TemplateValues,
  type TemplateVariable
} from "./SavedReply.ts"

type NotFound = Refusal<"not_found">

/** The booking or conversation whose values fill in a saved reply's variables. */
export type TemplateSource = { readonly bookingId: string } | { readonly conversationId: string }

/** A saved reply with its variables filled in. */
export interface FilledReply {
  readonly reply: SavedReply
  readonly text: string
  /** The names in braces that are unknown or have no value. */
  readonly missing: ReadonlyArray<string>
}

export class SavedReplies extends Context.Tag("@trailbook/core/SavedReplies")<
  SavedReplies,
  {
    /**
     * Returns all of an org's saved replies, sorted by title. The variables are filled in for a booking, or for a
     * conversation's guest and the guest's current or next booking. Without a subject, only the outfitter's name is
     * filled in. The `unfilled` variables stay in the text.
     */
    readonly list: (
      orgId: string,
      subject: TemplateSource | undefined,
      unfilled: ReadonlyArray<TemplateVariable>
    ) => Effect.Effect<ReadonlyArray<FilledReply>, NotFound>
    /** Refuses a reply above the maximum of `maxSavedReplies`. */
    readonly create: (
      orgId: string,
      input: Required<SavedReplyPatch>
    ) => Effect.Effect<SavedReply, Refusal<"invalid_request">>
    readonly update: (key: OrgKey, patch: SavedReplyPatch) => Effect.Effect<SavedReply, NotFound>
    readonly remove: (key: OrgKey) => Effect.Effect<void, NotFound>
  }
>() {
  static readonly layer = Layer.effect(SavedReplies, Effect.suspend(() => makeSavedReplies))
}

const makeSavedReplies = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const conversations = yield* ConversationStore
  const ids = yield* Ids
  const loadGuestContact = yield* makeLoadGuestContact
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const publicUrl = yield* PublicUrl
  const store = yield* SavedReplyStore
  const { run, snapshot } = yield* UnitOfWork

  const lock = (key: OrgKey) => Effect.flatMap(store.lock(key), failIfNotFound("saved reply", key.id))

  /** Resolves the subject's guest and booking. */
  const loadSubject = (orgId: string, subject: TemplateSource) =>
    Effect.gen(function*() {
      if ("bookingId" in subject) {
        const { bookingId: id } = subject
        const record = yield* Effect.flatMap(bookings.find([{ orgId, id }]), failIfNotFound("booking", id))
        return { name: getGuestName(record), record }
      }
      const { conversationId: id } = subject
      const conversation = yield* Effect.flatMap(
        conversations.find([{ orgId, id }]),
        failIfNotFound("conversation", id)
      )
      const { name } = yield* loadGuestContact(conversation)
      const { customerId } = conversation
      const [record] = customerId === null
        ? []
        : yield* bookings.nextOf([{ orgId, id: customerId }], yield* currentTime)
      return { name, record }
    })

  const loadValues = (orgId: string, subject: TemplateSource | undefined): Effect.Effect<TemplateValues, NotFound> =>
    Effect.gen(function*() {
      const org = yield* Effect.flatMap(orgs.find(orgId), failIfNotFound("org", orgId))
      if (subject === undefined) return { org: org.name }
      const { name, record } = yield* loadSubject(orgId, subject)
      const first_name = getGreetingName(name)
      if (record === undefined) {
        const emptyValues = { start_time: "", offering: "", meeting_point: "", booking_link: "", balance: "" }
        return { ...emptyValues, org: org.name, first_name }
      }
      const [offering] = yield* offerings.find([{ orgId, id: record.booking.offeringId }])
      return { ...getBookingTemplateValues(record, offering, org, publicUrl), first_name }
    })

  return SavedReplies.of({
    list: (orgId, subject, unfilledNames) =>
      snapshot(Effect.gen(function*() {
        const values: TemplateValues = {
          ...yield* loadValues(orgId, subject),
          ...Object.fromEntries(unfilledNames.map((name) => [name, undefined]))
        }
        return (yield* store.list(orgId))
          .toSorted((a, b) => compareText(a.title.toLowerCase(), b.title.toLowerCase()) || compareText(a.id, b.id))
          .map((reply) => ({
            reply,
            text: renderTemplate(reply.body, values),
            missing: findMissingVariableNames(reply.body, values)
          }))
      })),
    create: (orgId, input) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        const reply = { id: ids.uuid(), orgId, ...input, createdAt: now, updatedAt: now }
        return yield* run(Effect.gen(function*() {
          // Lock the org, so that concurrent requests cannot exceed the limit.
          yield* orgs.lock(orgId)
          if ((yield* store.list(orgId)).length >= maxSavedReplies) return yield* limitReached
          yield* store.put(reply)
          yield* log.touch(orgId)
          return reply
        }))
      }),
    update: (key, patch) =>
      run(Effect.gen(function*() {
        const before = yield* lock(key)
        const replacement = { ...before, ...patch }
        if (replacement.title === before.title && replacement.body === before.body) return before
        const reply = { ...replacement, updatedAt: yield* currentTime }
        yield* store.put(reply)
        yield* log.touch(key.orgId)
        return reply
      })),
    remove: (key) => run(Effect.all([lock(key), store.remove(key), log.touch(key.orgId)], { discard: true }))
  })
})

const compareText = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

const limitReached = invalid(`title: at most ${maxSavedReplies} saved replies are allowed. Delete a saved reply first.`)
