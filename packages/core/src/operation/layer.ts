/**
 * Core put together: all services over the ports, and every operation behind
 * the one door.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiKeys } from "../actor/ApiKeys.ts"
import { Door } from "../actor/Door.ts"
import { Visitors } from "../actor/Visitors.ts"
import { Grants } from "../application/Grants.ts"
import { Automations } from "../automation/Automations.ts"
import { Availability } from "../availability/Availability.ts"
import { OpenDays } from "../availability/OpenDays.ts"
import { Vacancy } from "../availability/Vacancy.ts"
import { Billing } from "../billing/Billing.ts"
import { BookingDesk, type DeskOptions } from "../booking/BookingDesk.ts"
import type { BookingGate } from "../booking/BookingGate.ts"
import { Bookings } from "../booking/Bookings.ts"
import { Cancellations } from "../booking/Cancellations.ts"
import { Checkouts } from "../booking/Checkouts.ts"
import { Departures } from "../booking/Departures.ts"
import { Guests } from "../booking/Guests.ts"
import { Reconciliation } from "../booking/Reconciliation.ts"
import { Broadcasts } from "../conversation/Broadcasts.ts"
import { Conversations } from "../conversation/Conversations.ts"
import { Correspondence } from "../conversation/Correspondence.ts"
import { Drafts } from "../conversation/Drafts.ts"
import { GuestMessages } from "../conversation/GuestMessages.ts"
import { GuestThreads } from "../conversation/GuestThreads.ts"
import { Hearing } from "../conversation/Hearing.ts"
import { Inbox } from "../conversation/Inbox.ts"
import { Messages } from "../conversation/Messages.ts"
import { SavedReplies } from "../conversation/SavedReplies.ts"
import { Customers } from "../customer/Customers.ts"
import { Changes } from "../event/Changes.ts"
import { Events } from "../event/Events.ts"
import { Subscriptions } from "../event/Subscriptions.ts"
import { UnusedFiles } from "../file/UnusedFiles.ts"
import { Offerings } from "../offering/Offerings.ts"
import { Orgs } from "../org/Orgs.ts"
import { Proposals } from "../proposal/Proposals.ts"
import { Turns } from "../proposal/Turns.ts"
import { OfferingChanges } from "../session/OfferingChanges.ts"
import { Sessions } from "../session/Sessions.ts"
import { AuditList } from "../staff/AuditList.ts"
import { KeyChanges } from "../staff/KeyChanges.ts"
import { KeyNetworks } from "../staff/KeyNetworks.ts"
import { Logins } from "../staff/Logins.ts"
import { StaffMembers } from "../staff/StaffMembers.ts"
import { Erasures } from "../unfinished/Erasures.ts"
import { Leftovers } from "../unfinished/Leftovers.ts"
import { Deliveries } from "../webhook/Deliveries.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { automationHandlers, automationOperations } from "./automationOperations.ts"
import { availabilityHandlers, availabilityOperations } from "./availabilityOperations.ts"
import { bookingHandlers, bookingOperations } from "./bookingOperations.ts"
import { conversationHandlers, conversationOperations } from "./conversationOperations.ts"
import { customerHandlers, customerOperations } from "./customerOperations.ts"
import { dashboardHandlers, dashboardOperations } from "./dashboardOperations.ts"
import { deliveryHandlers, deliveryOperations } from "./deliveryOperations.ts"
import { departureHandlers, departureOperations } from "./departureOperations.ts"
import { guestHandlers, guestOperations } from "./guestOperations.ts"
import { keyHandlers, keyOperations } from "./keyOperations.ts"
import { memberHandlers, memberOperations } from "./memberOperations.ts"
import { messageHandlers, messageOperations } from "./messageOperations.ts"
import { offeringHandlers, offeringOperations } from "./offeringOperations.ts"
import { orgHandlers, orgOperations } from "./orgOperations.ts"
import { paymentHandlers, paymentOperations } from "./paymentOperations.ts"
import { proposalHandlers, proposalOperations } from "./proposalOperations.ts"
import * as Registry from "./Registry.ts"
import { savedReplyHandlers, savedReplyOperations } from "./savedReplyOperations.ts"
import { sessionHandlers, sessionOperations } from "./sessionOperations.ts"
import { staffHandlers, staffOperations } from "./staffOperations.ts"
import { upkeepHandlers, upkeepOperations } from "./upkeepOperations.ts"
import { visitHandlers, visitOperations } from "./visitOperations.ts"
import { webhookHandlers, webhookOperations } from "./webhookOperations.ts"

/**
 * Every operation of the service, in the order of the reference.
 *
 * @category models
 */
export const operations = [
  ...offeringOperations,
  ...availabilityOperations,
  ...sessionOperations,
  ...bookingOperations,
  ...customerOperations,
  ...conversationOperations,
  ...messageOperations,
  ...savedReplyOperations,
  ...automationOperations,
  ...proposalOperations,
  ...orgOperations,
  ...webhookOperations
] as const

/**
 * What pages do and no program does. They are behind the same door, and in no list of the API.
 *
 * @category models
 */
export const pageOperations = [
  ...visitOperations,
  ...guestOperations,
  ...staffOperations,
  ...keyOperations,
  ...memberOperations,
  ...paymentOperations,
  ...upkeepOperations,
  ...deliveryOperations,
  ...departureOperations,
  ...dashboardOperations
] as const

const handlers = Effect.gen(function*() {
  return {
    ...yield* offeringHandlers,
    ...yield* availabilityHandlers,
    ...yield* sessionHandlers,
    ...yield* bookingHandlers,
    ...yield* customerHandlers,
    ...yield* conversationHandlers,
    ...yield* messageHandlers,
    ...yield* savedReplyHandlers,
    ...yield* automationHandlers,
    ...yield* proposalHandlers,
    ...yield* orgHandlers,
    ...yield* webhookHandlers,
    ...yield* visitHandlers,
    ...yield* guestHandlers,
    ...yield* staffHandlers,
    ...yield* keyHandlers,
    ...yield* memberHandlers,
    ...yield* paymentHandlers,
    ...yield* upkeepHandlers,
    ...yield* deliveryHandlers,
    ...yield* departureHandlers,
    ...yield* dashboardHandlers
  }
})

/**
 * The services and the registry. It wants the storage, `Ids` and `Payments`, and
 * for webhooks `Secrets` and `WebhookSender`, or `withoutWebhooks` in their
 * place. `desk` says how bookings are sold: in batches as suits the storage, or
 * each in a unit of work of its own. With a `gate` they are sold past it, one by
 * one.
 *
 * @category layers
 */
export const layer = <R = never>(options: Options<R>) =>
  opened.pipe(
    Layer.provideMerge(Registry.layer(operations, handlers, pageOperations)),
    Layer.provideMerge(Layer.merge(Proposals.layer, Turns.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Billing.layer,
        Layer.provideMerge(Layer.merge(Bookings.layer, Reconciliation.layer), Checkouts.layer),
        Layer.provideMerge(
          Layer.provideMerge(Leftovers.layer, Layer.merge(Cancellations.layer, Erasures.layer)),
          Layer.mergeAll(
            Broadcasts.layer,
            Conversations.layer,
            Drafts.layer,
            GuestMessages.layer,
            GuestThreads.layer,
            Inbox.layer,
            Messages.layer
          ).pipe(
            Layer.provideMerge(Hearing.layer),
            Layer.provideMerge(Correspondence.layer)
          )
        ),
        SavedReplies.layer,
        Subscriptions.layer,
        OpenDays.layer.pipe(Layer.provideMerge(Vacancy.layer), Layer.provideMerge(Availability.layer))
      )
    ),
    Layer.provideMerge(Layer.mergeAll(
      Layer.provideMerge(
        Layer.provide(Layer.merge(KeyChanges.layer, KeyNetworks.layer), AuditList.layer),
        ApiKeys.layer
      ),
      Automations.layer,
      Changes.layer,
      Door.layer,
      deskOf(options),
      Customers.layer,
      Deliveries.layer,
      Events.layer,
      Departures.layer,
      Guests.layer,
      OfferingChanges.layer,
      Offerings.layer,
      Orgs.layer,
      Sessions.layer,
      UnusedFiles.layer,
      Layer.provideMerge(Layer.mergeAll(Logins.layer, Grants.layer, StaffMembers.layer), AuditList.layer),
      Visitors.layer,
      Webhooks.layer
    ))
  )

/** From here on the door leads to the operations. */
const opened = Layer.effectDiscard(Effect.flatMap(
  Effect.all([Door, Registry.Registry]),
  ([door, registry]) => door.leadsTo(registry.run)
))

interface Options<R> {
  readonly desk: DeskOptions | "direct"
  readonly gate?: Layer.Layer<BookingGate, never, R> | undefined
}

const deskOf = <R>(
  { desk, gate }: Options<R>
): Layer.Layer<BookingDesk, never, R | Layer.Layer.Context<typeof BookingDesk.layerDirect>> => {
  if (gate !== undefined) return Layer.provide(BookingDesk.layerGated(desk), gate)
  return desk === "direct" ? BookingDesk.layerDirect : BookingDesk.layer(desk)
}
