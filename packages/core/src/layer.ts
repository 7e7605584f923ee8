/** Builds core's layer: all services on top of the ports, and the operation registry. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OperationRunner } from "./actor/Actor.ts"
import { apiKeyHandlers, apiKeyOperations } from "./actor/apiKeyOperations.ts"
import { ApiKeys } from "./actor/ApiKeys.ts"
import { VisitorAccess } from "./actor/VisitorAccess.ts"
import { AssistantCalls } from "./assistant/AssistantCalls.ts"
import { assistantHandlers, assistantOperations } from "./assistant/assistantOperations.ts"
import { ExportLinks } from "./assistant/ExportLinks.ts"
import { automationHandlers, automationOperations } from "./automation/automationOperations.ts"
import { Automations } from "./automation/Automations.ts"
import { Availability } from "./availability/Availability.ts"
import { availabilityHandlers, availabilityOperations } from "./availability/availabilityOperations.ts"
import { NextAvailability } from "./availability/NextAvailability.ts"
import { Billing } from "./billing/Billing.ts"
import { attendanceHandlers, attendanceOperations } from "./booking/attendance/attendanceOperations.ts"
import { bookingHandlers, bookingOperations } from "./booking/bookingOperations.ts"
import { Bookings } from "./booking/Bookings.ts"
import { Cancellations } from "./booking/cancellation/Cancellations.ts"
import { closureHandlers, closureOperations } from "./booking/closure/closureOperations.ts"
import { Closures } from "./booking/closure/Closures.ts"
import { departureHandlers, departureOperations } from "./booking/departureOperations.ts"
import { Departures } from "./booking/Departures.ts"
import { GuestAccess } from "./booking/GuestAccess.ts"
import { type BatchOptions, type BookingCreateHook, BookingWriter } from "./booking/write/BookingWriter.ts"
import { Broadcasts } from "./conversation/broadcast/Broadcasts.ts"
import { conversationHandlers, conversationOperations } from "./conversation/conversationOperations.ts"
import { ConversationWriter } from "./conversation/ConversationWriter.ts"
import { Drafts } from "./conversation/draft/Drafts.ts"
import { GuestConversations } from "./conversation/GuestConversations.ts"
import { MailIntake } from "./conversation/mail-intake/MailIntake.ts"
import { messageHandlers, messageOperations } from "./conversation/message/messageOperations.ts"
import { SavedReplies } from "./conversation/saved-reply/SavedReplies.ts"
import { savedReplyHandlers, savedReplyOperations } from "./conversation/saved-reply/savedReplyOperations.ts"
import { StaffConversations } from "./conversation/StaffConversations.ts"
import { customerHandlers, customerOperations } from "./customer/customerOperations.ts"
import { Customers } from "./customer/Customers.ts"
import { CustomerErasure } from "./customer/erasure/CustomerErasure.ts"
import { ChangeNotifier } from "./event/ChangeNotifier.ts"
import { Events } from "./event/Events.ts"
import { Subscriptions } from "./event/Subscriptions.ts"
import { OrphanedFiles } from "./file/Attachments.ts"
import { Photos } from "./file/Photos.ts"
import { JobResumer } from "./handler/JobResumer.ts"
import { Grants } from "./oauth/Grants.ts"
import { discountHandlers, discountOperations } from "./offering/discount/discountOperations.ts"
import { Discounts } from "./offering/discount/Discounts.ts"
import { offeringHandlers, offeringOperations } from "./offering/offeringOperations.ts"
import { Offerings } from "./offering/Offerings.ts"
import { dashboardHandlers, dashboardOperations } from "./operation/dashboardOperations.ts"
import { guestHandlers, guestOperations } from "./operation/guestOperations.ts"
import { maintenanceHandlers, maintenanceOperations } from "./operation/maintenanceOperations.ts"
import { publicPageHandlers, publicPageOperations } from "./operation/publicPageOperations.ts"
import * as Registry from "./operation/Registry.ts"
import { orgHandlers, orgOperations } from "./org/orgOperations.ts"
import { Orgs } from "./org/Orgs.ts"
import { Ledger } from "./payment/ledger/Ledger.ts"
import { ledgerHandlers, ledgerOperations } from "./payment/ledger/ledgerOperations.ts"
import { Checkouts } from "./payment/online/Checkouts.ts"
import { Reconciliation } from "./payment/online/Reconciliation.ts"
import { paymentHandlers, paymentOperations } from "./payment/paymentOperations.ts"
import { AutomationRuns } from "./proposal/AutomationRuns.ts"
import { forecastHandlers, forecastOperations } from "./proposal/forecastOperations.ts"
import { proposalHandlers, proposalOperations } from "./proposal/proposalOperations.ts"
import { Proposals } from "./proposal/Proposals.ts"
import { reportHandlers, reportOperations } from "./report/reportOperations.ts"
import { OfferingChanges } from "./session/OfferingChanges.ts"
import { sessionHandlers, sessionOperations } from "./session/sessionOperations.ts"
import { Sessions } from "./session/Sessions.ts"
import { ApiKeyManagement } from "./staff/ApiKeyManagement.ts"
import { ApiKeyNetworks } from "./staff/ApiKeyNetworks.ts"
import { AuditLog } from "./staff/AuditLog.ts"
import { StaffSessions } from "./staff/sign-in/StaffSessions.ts"
import { StaffMembers } from "./staff/StaffMembers.ts"
import { staffHandlers, staffOperations } from "./staff/staffOperations.ts"
import { Deliveries } from "./webhook/Deliveries.ts"
import {
  deliveryHandlers,
  deliveryOperations,
  webhookHandlers,
  webhookOperations
} from "./webhook/webhookOperations.ts"
import { Webhooks } from "./webhook/Webhooks.ts"

/** All API operations, in the order of the reference. */
export const operations = [
  ...offeringOperations,
  ...availabilityOperations,
  ...sessionOperations,
  ...closureOperations,
  ...discountOperations,
  ...bookingOperations,
  ...attendanceOperations,
  ...ledgerOperations,
  ...reportOperations,
  ...customerOperations,
  ...conversationOperations,
  ...messageOperations,
  ...savedReplyOperations,
  ...automationOperations,
  ...forecastOperations,
  ...proposalOperations,
  ...assistantOperations,
  ...orgOperations,
  ...webhookOperations
] as const

/** The operations that only pages use. They are in the same registry, but not part of the API. */
export const webPageOperations = [
  ...publicPageOperations,
  ...guestOperations,
  ...staffOperations,
  ...apiKeyOperations,
  ...paymentOperations,
  ...maintenanceOperations,
  ...deliveryOperations,
  ...departureOperations,
  ...dashboardOperations
] as const

const handlers = Effect.gen(function*() {
  return {
    ...yield* offeringHandlers,
    ...yield* availabilityHandlers,
    ...yield* sessionHandlers,
    ...yield* closureHandlers,
    ...yield* discountHandlers,
    ...yield* bookingHandlers,
    ...yield* attendanceHandlers,
    ...yield* ledgerHandlers,
    ...yield* reportHandlers,
    ...yield* customerHandlers,
    ...yield* conversationHandlers,
    ...yield* messageHandlers,
    ...yield* savedReplyHandlers,
    ...yield* automationHandlers,
    ...yield* forecastHandlers,
    ...yield* proposalHandlers,
    ...yield* assistantHandlers,
    ...yield* orgHandlers,
    ...yield* webhookHandlers,
    ...yield* publicPageHandlers,
    ...yield* guestHandlers,
    ...yield* staffHandlers,
    ...yield* apiKeyHandlers,
    ...yield* paymentHandlers,
    ...yield* maintenanceHandlers,
    ...yield* deliveryHandlers,
    ...yield* departureHandlers,
    ...yield* dashboardHandlers
  }
}).pipe(Effect.provide(Proposals.layer))

/**
 * Builds the services and the registry. Requires a storage, `Ids`, and `Payments`. For webhooks, the layer also
 * requires `Secrets` and `WebhookSender`, or `layerNone` instead. `batches` sets how bookings are written: in batches
 * that suit the storage, or each booking in its own transaction. With a `gate`, the hook runs for each booking, and
 * bookings are not batched.
 */
export const coreLayer = <R = never>(options: Options<R>) =>
  Proposals.layer.pipe(
    Layer.provide(Layer.effect(OperationRunner, Registry.Registry)),
    Layer.provideMerge(Registry.layer(operations, handlers, webPageOperations)),
    Layer.provideMerge(AutomationRuns.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        Billing.layer,
        ExportLinks.layer,
        Layer.provideMerge(Layer.mergeAll(Bookings.layer, Ledger.layer, Reconciliation.layer), Checkouts.layer),
        Layer.provideMerge(
          Layer.provideMerge(JobResumer.layer, Layer.merge(Cancellations.layer, CustomerErasure.layer)),
          Layer.mergeAll(
            Broadcasts.layer,
            Drafts.layer,
            GuestConversations.layer,
            MailIntake.layer,
            StaffConversations.layer
          ).pipe(Layer.provideMerge(ConversationWriter.layer))
        ),
        SavedReplies.layer,
        Subscriptions.layer
      )
    ),
    Layer.provideMerge(Layer.provideMerge(NextAvailability.layer, Availability.layer)),
    Layer.provideMerge(Layer.mergeAll(
      Layer.provideMerge(
        Layer.provide(Layer.merge(ApiKeyManagement.layer, ApiKeyNetworks.layer), AuditLog.layer),
        ApiKeys.layer
      ),
      AssistantCalls.layer,
      Automations.layer,
      ChangeNotifier.layer,
      Closures.layer,
      toWriterLayer(options),
      Customers.layer,
      Deliveries.layer,
      Events.layer,
      Departures.layer,
      Discounts.layer,
      GuestAccess.layer,
      OfferingChanges.layer,
      Offerings.layer,
      Sessions.layer,
      OrphanedFiles.layer,
      Layer.provideMerge(Layer.provide(Photos.layer, AuditLog.layer), Orgs.layer),
      Layer.provideMerge(Layer.mergeAll(StaffSessions.layer, Grants.layer, StaffMembers.layer), AuditLog.layer),
      VisitorAccess.layer,
      Webhooks.layer
    ))
  )

/** The services that {@link coreLayer} provides. */
export type CoreServices = Layer.Layer.Success<ReturnType<typeof coreLayer>>

interface Options<R> {
  readonly batches: BatchOptions | "none"
  readonly gate?: Layer.Layer<BookingCreateHook, never, R> | undefined
}

const toWriterLayer = <R>(
  { batches, gate }: Options<R>
): Layer.Layer<BookingWriter, never, R | Layer.Layer.Context<ReturnType<typeof BookingWriter.layer>>> =>
  gate === undefined ? BookingWriter.layer(batches) : Layer.provide(BookingWriter.layerWithHook(batches), gate)
