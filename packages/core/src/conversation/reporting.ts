/**
 * Writing down what became of a mail to a guest: on its message, and on the
 * conversation whether its guest can be reached.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Tenants } from "../port/Tenants.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { moment } from "../time/moment.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { Correspondence } from "./Correspondence.ts"
import type { Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"

/**
 * What became of a mail.
 *
 * @category models
 */
export interface DeliveryReport {
  /** Of the mail's own envelope sender, `bounce+<token>`. */
  readonly bounceToken: string
  readonly outcome: "delivered" | "failed" | "complained"
  /** What the other server said, in a line; null when it is not known, or nothing failed. */
  readonly failure: string | null
}

/**
 * Takes reports. What was told first of a message stays, delivered and failed each;
 * a token that names no message is left alone.
 *
 * @category effects
 */
export const reporting = Effect.gen(function*() {
  const { decide } = yield* Correspondence
  const guestOf = yield* guests
  const log = yield* EventLog
  const messages = yield* MessageStore
  const store = yield* ConversationStore
  const { run } = yield* UnitOfWork

  const write = ({ failure, outcome }: DeliveryReport, { bounceToken, conversationId: id, orgId }: Message) =>
    Effect.gen(function*() {
      const [conversation] = yield* store.lock([{ orgId, id }])
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(bounceToken ?? ""))
      if (conversation === undefined || message === undefined) return
      const at = yield* moment
      if (outcome === "delivered") {
        yield* decide(conversation, { _tag: "Reported", outcome, at })
        if (message.deliveredAt === null) yield* messages.put([{ ...message, deliveredAt: at }])
        yield* log.touch(orgId)
        return
      }
      yield* decide(conversation, { _tag: "Reported", outcome: "failed", at })
      // Of an erased guest no server's words are kept.
      const told = (yield* guestOf(conversation)).email === "" ? null : failure
      if (message.failedAt === null) yield* messages.put([{ ...message, failedAt: at, failure: told }])
      yield* log.touch(orgId)
    })

  return (report: DeliveryReport): Effect.Effect<void> =>
    Effect.gen(function*() {
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(report.bounceToken))
      if (message === undefined) return
      yield* Effect.provideService(run(write(report, message)), Tenants, [message.orgId])
    })
})

/**
 * Whom a conversation is with; nobody, without an address, when they were erased.
 *
 * @category reading
 */
export const guests = Effect.map(
  CustomerStore,
  (customers) => ({ customerId, fromEmail, fromName, orgId }: Conversation) =>
    customerId === null
      ? Effect.succeed({ name: fromName ?? "", email: fromEmail ?? "" })
      : Effect.map(customers.find([{ orgId, id: customerId }]), ([customer]) => ({
        name: customer?.name ?? "",
        email: customer?.email ?? ""
      }))
)
