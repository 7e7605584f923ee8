/** The handlers for all kinds of tasks. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Broadcasts } from "../conversation/broadcast/Broadcasts.ts"
import { ConversationWriter } from "../conversation/ConversationWriter.ts"
import { GuestConversations } from "../conversation/GuestConversations.ts"
import { makeRemovePhoto } from "../file/Photos.ts"
import { Files, toStorageKey } from "../file/StoredFile.ts"
import { PublicUrl } from "../port/PublicUrl.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { AuditLog } from "../staff/AuditLog.ts"
import { StaffSessions } from "../staff/sign-in/StaffSessions.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { Tasks } from "../task/Tasks.ts"
import { makeBookingMailHandler } from "./bookingMailHandler.ts"
import { makeGuestLinkMailHandler, makeInvitationMailHandler, makeProofMailHandler } from "./linkMailHandlers.ts"
import { makeMessageMailHandler } from "./messageMailHandler.ts"
import { makeCheckoutHandlers, makePaymentNotificationHandler, makeRefundHandler } from "./paymentTaskHandlers.ts"
import { makeProposalNotificationHandler } from "./proposalNotificationHandler.ts"
import { makeMessageNotificationHandler, makeStaffMailHandler } from "./staffMailHandler.ts"
import { runAsTask } from "./taskSubjects.ts"

export interface TaskHandlerOptions {
  /** The public URL for guests, without a trailing slash. Links in emails start with this URL. */
  readonly publicUrl: string
  /** The base URL of `/sign-in`, if it differs from `publicUrl`. */
  readonly staffUrl?: string | undefined
  /**
   * The base URL of `/files/…`, if it differs from `publicUrl`. Guests download files from this URL if the files are
   * too large for an email.
   */
  readonly filesUrl?: string | undefined
  /** The domain for inbound email. Without it, emails have no reply address. */
  readonly replyDomain?: string | undefined
}

/** Creates a handler for tasks without data to load. They never fail permanently. */
const makeEndlessHandler = (run: (task: Task) => Parameters<typeof runAsTask>[0]) =>
  Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, task) => runAsTask(run(task))
  })

/**
 * Resumes interrupted broadcasts. The task is retried indefinitely, which is safe because completed chunks are not
 * repeated.
 */
const broadcastJobs = Effect.map(
  Broadcasts,
  ({ job }) =>
    makeEndlessHandler(({ orgId, subjectId: id }) =>
      Effect.provideService(job.finish({ orgId, id }), TenantScope, [orgId])
    )
)

export const make = ({ filesUrl, publicUrl, replyDomain, staffUrl = publicUrl }: TaskHandlerOptions) =>
  Effect.gen(function*() {
    const checkout = yield* makeCheckoutHandlers
    const bookingMail = yield* makeBookingMailHandler({ publicUrl, replyDomain })
    return {
      "mail.held": bookingMail,
      "mail.confirmed": bookingMail,
      "mail.moved": bookingMail,
      "mail.updated": bookingMail,
      "mail.cancelled": bookingMail,
      "mail.guest_cancelled": bookingMail,
      "mail.expired": bookingMail,
      "mail.returned": bookingMail,
      "mail.payment": bookingMail,
      ...yield* makePaymentNotificationHandler({ staffUrl }),
      "mail.proposal": yield* makeProposalNotificationHandler({ staffUrl }),
      "mail.message": yield* makeMessageMailHandler({ publicUrl, filesUrl, replyDomain }),
      "mail.staff": yield* makeStaffMailHandler({ staffUrl, replyDomain }),
      "notice.messages": yield* makeMessageNotificationHandler,
      "mail.link": yield* makeGuestLinkMailHandler({ publicUrl }),
      "mail.proof": yield* makeProofMailHandler({ publicUrl }),
      "mail.invitation": yield* makeInvitationMailHandler({ staffUrl }),
      broadcast: yield* broadcastJobs,
      "checkout.open": checkout.open,
      "checkout.close": checkout.close,
      refund: yield* makeRefundHandler,
      "file.remove": yield* fileRemovals,
      "photo.remove": yield* photoRemovals
    } satisfies Handler.HandlersByKind
  })

export const layer = (options: TaskHandlerOptions) =>
  Layer.provide(
    Tasks.layer(make(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(Broadcasts.layer, Layer.succeed(PublicUrl, options.publicUrl)),
        GuestConversations.layer,
        Layer.provide(StaffSessions.layer, AuditLog.layer)
      ),
      ConversationWriter.layer
    )
  )

/**
 * Deletes the bytes of removed files. The deletion can be part of an erasure request, so the task never fails
 * permanently. If the task fails for more than a day, the staff see the failure.
 */
const fileRemovals = Effect.map(
  Files,
  ({ remove }) => makeEndlessHandler(({ orgId, subjectId: id }) => remove(toStorageKey({ orgId, id })))
)

const photoRemovals = Effect.map(makeRemovePhoto, makeEndlessHandler)
