/**
 * Replies that a language model drafts for the outfitter to edit. A draft is text that is returned and recorded in one
 * event. It is never sent automatically.
 *
 * The daily quota is reserved under the org's lock before the model is called, so concurrent requests cannot exceed it.
 * It is released if the draft fails, but not if the caller disconnects, because the model was called.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BookingStore } from "../../booking/BookingStore.ts"
import { yieldToEventLoop } from "../../concurrency/yieldToEventLoop.ts"
import { customerErased } from "../../customer/CustomerDecider.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { OrgStore } from "../../org/OrgStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { orNotFound } from "../../port/orNotFound.ts"
import { PublicUrl } from "../../port/PublicUrl.ts"
import { retryOnConflict } from "../../port/retryOnConflict.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { type Refusal, refuse, refuseFor } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { ConversationStore } from "../ConversationStore.ts"
import { findConversation } from "../findConversation.ts"
import { makeGuestContact } from "../guestContact.ts"
import { isOfPeople, type Message } from "../message/Message.ts"
import { MessageStore } from "../message/MessageStore.ts"
import { Drafter, DraftFailed } from "./Drafter.ts"
import { makeDraftPrompt, maxMessages, type Prompt } from "./draftPrompt.ts"
import { DraftStore } from "./DraftStore.ts"
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
  static readonly layer = Layer.effect(
    Drafts,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const conversations = yield* ConversationStore
      const drafter = yield* Effect.serviceOption(Drafter)
      const find = findConversation(conversations)
      const guestOf = flow(yield* makeGuestContact, Effect.filterOrFail(({ email }) => email !== "", customerErased))
      const ids = yield* Ids
      const log = yield* EventLog
      const messages = yield* MessageStore
      const offerings = yield* OfferingStore
      const orgs = yield* OrgStore
      const publicUrl = yield* PublicUrl
      const store = yield* DraftStore
      const { run, snapshot } = yield* UnitOfWork
      // Reading a thread takes some milliseconds. Threads are read one at a time, so that other requests run between
      // them.
      const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)

      /** Collects the material for the prompt, and the links that a draft may contain. */
      const gather = (key: OrgKey): Effect.Effect<Gathered, Refusals> =>
        snapshot(Effect.gen(function*() {
          const conversation = yield* find(key)
          const org: Org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
          const guest = yield* guestOf(conversation)
          const { customerId: id, orgId } = conversation
          const [booking] = id === null ? [] : yield* bookings.nextOf([{ orgId, id }], yield* currentTime)
          const [offering] = booking === undefined
            ? []
            : yield* offerings.find([{ orgId, id: booking.offering.id }])
          const location = offering?.location ?? ""
          const said = (yield* messages.latest(conversation, maxRead)).filter(isOfPeople).slice(0, maxMessages)
          return {
            prompt: makeDraftPrompt({ org, guestName: guest.name, booking, location, messages: said.toReversed() }),
            own: [publicUrl, location, ...said.filter(isOurs).map(({ body }) => body)]
          }
        }))

      /** Reserves one draft of the daily quota. */
      const reserve = (orgId: string): Effect.Effect<OrgKey, Refusals> =>
        run(Effect.gen(function*() {
          yield* Effect.flatMap(orgs.lock(orgId), orNotFound("org", orgId))
          const at = yield* currentTime
          yield* store.forget(orgId, Instant.addMinutes(at, -withinMinutes))
          const asked = yield* store.asked(orgId)
          const first = asked[asked.length - maxDrafts]
          if (first !== undefined) {
            const againFrom = Instant.addMinutes(first, withinMinutes)
            return yield* refuseFor(Math.ceil((againFrom - at) / 1000), "draft_limited", maxDrafts)
          }
          const draft = { orgId, id: ids.uuid() }
          yield* store.add({ ...draft, at })
          return draft
        }))

      /** Runs the drafter with an empty context, so that it cannot use services of the caller. */
      const word = ({ draft }: Drafter["Type"], prompt: Prompt): Effect.Effect<string, DraftFailed> =>
        Effect.mapInputContext(draft(prompt), (_around: Context.Context<never>) => Context.empty()).pipe(
          Effect.catchAllDefect((defect) => new DraftFailed({ message: String(defect) })),
          Effect.timeoutFail({ duration: maxSeconds * 1000, onTimeout: () => new DraftFailed({ message: tooSlow }) })
        )

      const worded = (drafter: Drafter["Type"], key: OrgKey): Effect.Effect<string, Refusals> =>
        Effect.gen(function*() {
          const { own, prompt } = yield* inTurn(Effect.zipRight(yieldToEventLoop, gather(key)))
          const text = Effect.flatMap(word(drafter, prompt), (answer) => {
            const text = sanitizeDraft(answer, own)
            return text === ""
              ? new DraftFailed({ message: "The response contains no text." })
              : Effect.succeed(text)
          })
          return yield* Effect.catchAll(text, ({ message }) =>
            Effect.logWarning("No draft was worded.").pipe(
              Effect.annotateLogs({ org_id: key.orgId, why: message }),
              Effect.zipRight(refuse("draft_failed"))
            ))
        })

      /**
       * Records the event under the conversation's lock, which an erasure takes, too. A draft of a guest who is erased
       * in the meantime is discarded.
       */
      const tell = (key: OrgKey, text: string): Effect.Effect<void, Refusals> =>
        retryOnConflict(run(Effect.gen(function*() {
          const conversation = yield* Effect.flatMap(
            Effect.flatMap(find(key), (found) => conversations.lock([found])),
            orNotFound("conversation", key.id)
          )
          if (conversation.movedTo !== null) {
            return yield* Effect.dieMessage(`Conversation ${key.id} was merged into another concurrently.`)
          }
          yield* guestOf(conversation)
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
            const place = yield* reserve(key.orgId)
            const text = yield* Effect.tapError(worded(drafter.value, key), () => store.remove(place))
            yield* tell(key, text)
            return text
          })
      })
    })
  )
}

interface Gathered {
  readonly prompt: Prompt
  readonly own: ReadonlyArray<string>
}

const isOurs = ({ direction, sentBy }: Message): boolean => direction === "to_guest" && sentBy !== "agent"

/** Number of the newest rows of a thread to search for messages of people. */
const maxRead = 100

/** Maximum number of drafts per org in 24 hours. */
export const maxDrafts = 60
const withinMinutes = 24 * 60

const maxSeconds = 30
const tooSlow = `The language model did not respond within ${maxSeconds} seconds.`
