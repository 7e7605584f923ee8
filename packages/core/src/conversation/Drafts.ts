/**
 * Replies that a language model words for the outfitter to edit. A draft is text: it is
 * answered, told of once, and sent by nobody.
 *
 * The place among the drafts of a day is taken under the org's lock before the model is
 * asked, so however many ask at once, no more are worded than may be. It is given back
 * when no draft came of it. Who hangs up has taken theirs: the model was asked.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BookingStore } from "../booking/BookingStore.ts"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import { customerErased } from "../customer/CustomerDecider.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { PublicUrl } from "../port/PublicUrl.ts"
import { retryOnConflict } from "../port/retryOnConflict.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse, refuseFor } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { Drafter, DraftFailed } from "./Drafter.ts"
import { makeDraftPrompt, maxMessages, type Prompt } from "./draftPrompt.ts"
import { DraftStore } from "./DraftStore.ts"
import { followMerge } from "./followMerge.ts"
import { makeGuestContact } from "./guestContact.ts"
import { isOfPeople, type Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"
import { sanitizeDraft } from "./sanitizeDraft.ts"

type Refusals = Refusal<"not_found" | "customer_erased" | "drafts_unavailable" | "draft_limited" | "draft_failed">

/**
 * @category services
 */
export class Drafts extends Context.Tag("@trailbook/core/Drafts")<
  Drafts,
  {
    /** Whether anybody words them. */
    readonly isOn: boolean
    /** Words a reply to a conversation, within half a minute. */
    readonly draft: (conversation: OrgKey) => Effect.Effect<string, Refusals>
  }
>() {
  static readonly layer = Layer.effect(
    Drafts,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const conversations = yield* ConversationStore
      const drafter = yield* Effect.serviceOption(Drafter)
      const guestOf = yield* makeGuestContact
      const ids = yield* Ids
      const log = yield* EventLog
      const messages = yield* MessageStore
      const offerings = yield* OfferingStore
      const orgs = yield* OrgStore
      const publicUrl = yield* PublicUrl
      const store = yield* DraftStore
      const { run, snapshot } = yield* UnitOfWork
      // A thread is some milliseconds of reading: one is read after the other, and others have their turn between them.
      const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)

      /** What is known to word it from, and where the outfitter may lead to. */
      const gather = (key: OrgKey): Effect.Effect<Gathered, Refusals> =>
        snapshot(Effect.gen(function*() {
          const conversation = yield* followMerge(conversations)(key)
          if (conversation === undefined) return yield* notFound("conversation", key.id)
          const org: Org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
          const guest = yield* guestOf(conversation)
          if (guest.email === "") return yield* customerErased()
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

      /** Takes a place among the drafts of a day. */
      const reserve = (orgId: string): Effect.Effect<OrgKey, Refusals> =>
        run(Effect.gen(function*() {
          if (Option.isNone(yield* orgs.lock(orgId))) return yield* notFound("org", orgId)
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

      /** It is handed the text alone: of what is around whoever asks, which could act for them, it finds nothing. */
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
              ? new DraftFailed({ message: "There is nothing in its answer." })
              : Effect.succeed(text)
          })
          return yield* Effect.catchAll(text, ({ message }) =>
            Effect.logWarning("No draft was worded.").pipe(
              Effect.annotateLogs({ org_id: key.orgId, why: message }),
              Effect.zipRight(refuse("draft_failed"))
            ))
        })

      /** Told under the conversation's lock, which an erasure takes, too: what is worded while it is under way is nowhere. */
      const tell = (key: OrgKey, text: string): Effect.Effect<void, Refusals> =>
        retryOnConflict(run(Effect.gen(function*() {
          const found = yield* followMerge(conversations)(key)
          const [conversation] = found === undefined ? [] : yield* conversations.lock([found])
          if (conversation === undefined) return yield* notFound("conversation", key.id)
          if (conversation.movedTo !== null) {
            return yield* Effect.dieMessage(`Conversation ${key.id} was taken into another.`)
          }
          if ((yield* guestOf(conversation)).email === "") return yield* customerErased()
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

/** Of the newest rows of a thread so many are looked through for what people wrote. */
const maxRead = 100

/**
 * How many drafts an org has in any 24 hours.
 *
 * @category constants
 */
export const maxDrafts = 60
const withinMinutes = 24 * 60

const maxSeconds = 30
const tooSlow = `It took longer than ${maxSeconds} seconds.`
