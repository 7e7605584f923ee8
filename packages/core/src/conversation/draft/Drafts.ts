/**
 * Replies that a language model drafts for the outfitter to edit. A draft is returned as text, recorded in one event,
 * and never sent automatically.
 *
 * The draft is counted against the daily quota under the org's lock before the model is called, so concurrent requests
 * cannot exceed the quota. A failed draft does not count. A draft whose caller disconnects does, because the model was
 * called.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Availability, type AvailabilityFacts } from "../../availability/Availability.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import { yieldToEventLoop } from "../../concurrency/scheduler.ts"
import { ClosureStore, getFirstRelevantClosureDate } from "../../offering/closure/Closure.ts"
import type { Offering } from "../../offering/Offering.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { Ids } from "../../port/Ids.ts"
import { PublicUrl } from "../../port/PublicUrl.ts"
import { largeRowPageSize, readInPages } from "../../port/readInPages.ts"
import { retryOnConflict, UnitOfWork } from "../../port/UnitOfWork.ts"
import { type Refusal, refuse, refuseWithRetryAfter } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { toCreationPosition } from "../../wire/Cursor.ts"
import { ConversationStore } from "../ConversationStore.ts"
import { findConversation, makeLoadGuestContact } from "../findConversation.ts"
import { isWrittenByPerson, type Message } from "../message/Message.ts"
import { MessageStore } from "../message/MessageStore.ts"
import { makeLoadMessageAttachments } from "../message/MessageView.ts"
import {
  Drafter,
  DraftFailed,
  type DraftPrompt,
  DraftStore,
  makeDraftPrompt,
  maxDraftMessages,
  maxFactsPerKind
} from "./Drafter.ts"
import { sanitizeDraft } from "./sanitizeDraft.ts"

type Refusals = Refusal<"not_found" | "customer_erased" | "drafts_unavailable" | "draft_limited" | "draft_failed">

export class Drafts extends Context.Tag("@trailbook/core/Drafts")<
  Drafts,
  {
    /** Whether a language model is set up. */
    readonly isOn: boolean
    /** Drafts a reply to a conversation within 30 seconds. */
    readonly draft: (conversation: OrgKey) => Effect.Effect<string, Refusals>
  }
>() {
  static readonly layer = Layer.effect(Drafts, Effect.suspend(() => makeDrafts))
}

const makeDrafts = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const availability = yield* Availability
  const closures = yield* ClosureStore
  const conversations = yield* ConversationStore
  const drafter = yield* Effect.serviceOption(Drafter)
  const find = findConversation(conversations)
  const loadGuestContact = flow(
    yield* makeLoadGuestContact,
    Effect.filterOrFail(({ email }) => email !== "", () => refuse("customer_erased"))
  )
  const ids = yield* Ids
  const log = yield* EventLog
  const messages = yield* MessageStore
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const publicUrl = yield* PublicUrl
  const store = yield* DraftStore
  const withAttachments = yield* makeLoadMessageAttachments
  const { run, snapshot } = yield* UnitOfWork
  // Reading a thread takes several milliseconds. Threads are read one at a time so that other requests can run
  // between them.
  const runExclusively = (yield* Effect.makeSemaphore(1)).withPermits(1)

  /** Collects the facts for the prompt. */
  const loadContext = (key: OrgKey): Effect.Effect<DraftContext, Refusals> =>
    snapshot(Effect.gen(function*() {
      const conversation = yield* find(key)
      const org: Org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
      const guest = yield* loadGuestContact(conversation)
      const { customerId: id, orgId } = conversation
      const now = yield* currentTime
      const [nextBooking] = id === null ? [] : yield* bookings.nextOf([{ orgId, id }], now)
      const recentBookings = id === null
        ? []
        : yield* bookings.list({ orgId, customerId: id, order: "desc", limit: maxFactsPerKind })
      const guestBookings = [
        ...nextBooking === undefined ? [] : [nextBooking],
        ...recentBookings.filter(({ booking }) => booking.id !== nextBooking?.booking.id)
      ]
      const latestMessages = (yield* messages.latest(conversation, maxReadMessages))
        .filter(isWrittenByPerson)
        .slice(0, maxDraftMessages)
      const offeringIds = [...new Set(guestBookings.map(({ offering }) => offering.id))]
      const bookedOfferings = yield* offerings.find(offeringIds.map((id) => ({ orgId, id })))
      const firstOfferings = yield* readInPages({
        limit: maxOfferings,
        atOnce: largeRowPageSize,
        positionOf: toCreationPosition,
        read: (after, limit) => offerings.list({ orgId, after, limit })
      })
      const activeOfferings = firstOfferings.filter(({ active }) => active)
      return {
        org,
        now,
        guestName: guest.name,
        bookings: guestBookings.slice(0, maxFactsPerKind),
        messages: (yield* withAttachments(latestMessages)).toReversed(),
        offerings: [
          ...offeringIds.flatMap((id) => bookedOfferings.filter((offering) => offering.id === id)),
          ...activeOfferings.filter(({ id }) => !offeringIds.includes(id))
        ].slice(0, maxFactsPerKind),
        closures: yield* closures.since([orgId], getFirstRelevantClosureDate(now))
      }
    }))

  /** Adds the next starts with remaining capacity, which are read separately. */
  const makePrompt = (
    { closures, messages, offerings, org, ...facts }: DraftContext
  ): Effect.Effect<{ readonly prompt: DraftPrompt; readonly ownTexts: ReadonlyArray<string> }> =>
    Effect.map(
      Effect.forEach(offerings, (offering) =>
        Effect.zipRight(
          // An offering with many slots takes about 10 ms.
          yieldToEventLoop,
          availability.get({
            offering: { orgId: org.id, id: offering.id },
            known: { offering, org, closures }
          })
        ).pipe(
          // An offering that was deleted in the meantime has no starts.
          Effect.match({ onFailure: () => [], onSuccess: ({ slots }) => slots }),
          Effect.map((slots) => ({ offering, starts: slots.filter(({ remaining }) => remaining > 0) }))
        )),
      (trips) => ({
        prompt: makeDraftPrompt({ ...facts, org, messages, trips }),
        ownTexts: [
          publicUrl,
          ...trips.flatMap(({ offering: { description, info, location } }) => [
            location,
            description.slice(0, 300),
            info.bring,
            info.requirements
          ]),
          ...messages.flatMap(({ message }) => isWrittenByStaff(message) ? [message.body] : [])
        ]
      })
    )

  /** Reserves one draft from the daily quota. */
  const reserveDraft = (orgId: string): Effect.Effect<OrgKey, Refusals> =>
    run(Effect.gen(function*() {
      yield* Effect.flatMap(orgs.lock(orgId), failIfNotFound("org", orgId))
      const at = yield* currentTime
      yield* store.forget(orgId, Instant.addMinutes(at, -limitWindowMinutes))
      const requestTimes = yield* store.requestTimes(orgId)
      const oldestRequestAt = requestTimes[requestTimes.length - maxDrafts]
      if (oldestRequestAt !== undefined) {
        const retryAt = Instant.addMinutes(oldestRequestAt, limitWindowMinutes)
        return yield* refuseWithRetryAfter(Math.ceil((retryAt - at) / 1000), "draft_limited", maxDrafts)
      }
      const draft = { orgId, id: ids.uuid() }
      yield* store.add({ ...draft, at })
      return draft
    }))

  /** Runs the drafter with an empty context so that it cannot use the caller's services. */
  const requestDraft = ({ draft }: Drafter["Type"], prompt: DraftPrompt): Effect.Effect<string, DraftFailed> =>
    Effect.mapInputContext(draft(prompt), (_around: Context.Context<never>) => Context.empty()).pipe(
      Effect.catchAllDefect((defect) => new DraftFailed({ message: String(defect) })),
      Effect.timeoutFail({
        duration: timeoutSeconds * 1000,
        onTimeout: () => new DraftFailed({ message: timeoutMessage })
      })
    )

  const writeDraft = (drafter: Drafter["Type"], key: OrgKey): Effect.Effect<string, Refusals> =>
    Effect.gen(function*() {
      const { ownTexts, prompt } = yield* runExclusively(
        Effect.zipRight(yieldToEventLoop, Effect.flatMap(loadContext(key), makePrompt))
      )
      const text = Effect.flatMap(requestDraft(drafter, prompt), (response) => {
        const text = sanitizeDraft(response, ownTexts)
        return text === ""
          ? new DraftFailed({ message: "The response contains no text." })
          : Effect.succeed(text)
      })
      return yield* Effect.catchAll(text, ({ message }) =>
        Effect.logWarning("No draft was returned").pipe(
          Effect.annotateLogs({ org_id: key.orgId, why: message }),
          Effect.zipRight(refuse("draft_failed"))
        ))
    })

  /**
   * Records the event under the conversation's lock. An erasure takes the same lock, so a draft for a guest who was
   * erased in the meantime is discarded.
   */
  const appendDraftEvent = (key: OrgKey, text: string): Effect.Effect<void, Refusals> =>
    retryOnConflict(run(Effect.gen(function*() {
      const conversation = yield* Effect.flatMap(
        Effect.flatMap(find(key), (row) => conversations.lock([row])),
        failIfNotFound("conversation", key.id)
      )
      if (conversation.movedTo !== null) {
        return yield* Effect.dieMessage(`Conversation ${key.id} was concurrently merged into another conversation.`)
      }
      yield* loadGuestContact(conversation)
      const { customerId, id, orgId } = conversation
      yield* log.append([{
        orgId,
        type: "message.drafted",
        data: { conversation_id: id, text },
        person: customerId ?? id,
        createdAt: yield* currentTime
      }])
    })))

  return Drafts.of({
    isOn: Option.isSome(drafter),
    draft: (key) =>
      Effect.gen(function*() {
        if (Option.isNone(drafter)) return yield* refuse("drafts_unavailable")
        const reservation = yield* reserveDraft(key.orgId)
        const text = yield* Effect.tapError(writeDraft(drafter.value, key), () => store.remove(reservation))
        yield* appendDraftEvent(key, text)
        return text
      })
  })
})

interface DraftContext extends Omit<Parameters<typeof makeDraftPrompt>[0], "org" | "trips"> {
  readonly org: Org
  readonly offerings: ReadonlyArray<Offering>
  readonly closures: AvailabilityFacts["closures"]
}

/** The maximum number of offerings to read for the prompt. */
const maxOfferings = 100

const isWrittenByStaff = ({ direction, sentBy }: Message): boolean => direction === "to_guest" && sentBy !== "agent"

/** How many of a thread's newest rows to search for messages from people. */
const maxReadMessages = 100

/** The maximum number of drafts per org in 24 hours. */
export const maxDrafts = 60
const limitWindowMinutes = 24 * 60

const timeoutSeconds = 30
const timeoutMessage = `The language model did not respond within ${timeoutSeconds} seconds.`
