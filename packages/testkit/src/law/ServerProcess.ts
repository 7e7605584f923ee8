import type { Refusal } from "@trailbook/core"
import { Actor, makeHostActor, type Source } from "@trailbook/core/actor"
import { ExportLinks } from "@trailbook/core/assistant"
import { Bookings, GuestAccess } from "@trailbook/core/booking"
import { GuestConversations, MailIntake } from "@trailbook/core/conversation"
import { JobResumer } from "@trailbook/core/handler"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import type { Payments } from "@trailbook/core/payment"
import { AutomationRuns, Proposals } from "@trailbook/core/proposal"
import { StaffMembers, StaffSessions } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestIds from "../fake/TestIds.ts"
import { FakeSecrets, FakeWebhookSender } from "../fakes.ts"

/**
 * A server process as its callers see it. It provides core's operations on storage that several processes can share.
 */
export interface ServerProcess {
  /** Runs an operation as the host application, which has all permissions, with JSON input and output. */
  readonly call: (orgId: string, name: string, input: unknown, source?: Source) => Effect.Effect<unknown, Refusal>
  /** Runs an operation as the holder of this booking handle. Fails with `not_found` for an unknown handle. */
  readonly asGuest: (handle: string, name: string, input: unknown) => Effect.Effect<unknown, Refusal>
  /** Runs an operation as a visitor to the org's public page. `network` is the visitor's network, if known. */
  readonly asVisitor: (
    orgId: string,
    network: string | undefined,
    name: string,
    input: unknown
  ) => Effect.Effect<unknown, Refusal>
  /** The bookings service, which the payment provider and the hold cleanup use. */
  readonly bookings: Bookings["Type"]
  readonly logins: StaffSessions["Type"]
  /** The download links for exports. */
  readonly exportLinks: ExportLinks["Type"]
  /** The orgs' staff. */
  readonly staff: StaffMembers["Type"]
  /** The services that inbound mail and guest pages use. */
  readonly inbox: MailIntake["Type"] & GuestConversations["Type"]
  /** Resumes unfinished jobs, the way a worker does. */
  readonly leftovers: JobResumer["Type"]
  /** The ops agent's automation runs. */
  readonly turns: AutomationRuns["Type"]
  readonly proposals: Proposals["Type"]
}

/** Starts a process that uses the calling fiber's clock. */
export const start = (options: {
  readonly seed: number
  readonly batches: Parameters<typeof coreLayer>[0]["batches"]
}): Effect.Effect<ServerProcess, never, Storage | Payments | Scope.Scope> =>
  Effect.map(
    Layer.build(
      Layer.fresh(coreLayer(options)).pipe(
        Layer.provide(
          Layer.mergeAll(TestIds.layer(options.seed), FakeWebhookSender.layer, FakeSecrets.makeFakeSecretsLayer())
        )
      )
    ),
    (context) => {
      const registry = Context.get(context, Registry)
      return {
        bookings: Context.get(context, Bookings),
        logins: Context.get(context, StaffSessions),
        exportLinks: Context.get(context, ExportLinks),
        staff: Context.get(context, StaffMembers),
        inbox: { ...Context.get(context, MailIntake), ...Context.get(context, GuestConversations) },
        leftovers: Context.get(context, JobResumer),
        turns: Context.get(context, AutomationRuns),
        proposals: Context.get(context, Proposals),
        asGuest: (handle, name, input) =>
          Effect.flatMap(
            Context.get(context, GuestAccess).findGuest(handle),
            (guest) => Effect.provideService(registry.run(name, input), Actor, guest)
          ),
        asVisitor: (orgId, network, name, input) =>
          Effect.provideService(registry.run(name, input), Actor, {
            _tag: "Visitor",
            source: "widget",
            orgId,
            scopes: new Set(["visit"] as const),
            network
          }),
        call: (orgId, name, input, source) =>
          Effect.provideService(registry.run(name, input), Actor, makeHostActor({ orgId, source }))
      }
    }
  )
