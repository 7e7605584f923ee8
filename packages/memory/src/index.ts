/** All Trailbook storage ports, backed by one immutable value. */
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as accountStores from "./accountStores.ts"
import * as bookingStores from "./bookingStores.ts"
import * as conversationStores from "./conversationStores.ts"
import * as eventStores from "./eventStores.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as paymentStores from "./paymentStores.ts"
import * as reportStore from "./reportStore.ts"
import * as webhookStores from "./webhookStores.ts"
import * as workStores from "./workStores.ts"

/** All storage ports, implemented on a `MemoryDatabase`. */
export const portsLayer: Layer.Layer<Storage, never, MemoryDatabase> = Layer.mergeAll(
  Layer.effect(UnitOfWork, Effect.map(MemoryDatabase, ({ unitOfWork }) => unitOfWork)),
  accountStores.layer,
  bookingStores.layer,
  paymentStores.layer,
  reportStore.layer,
  conversationStores.layer,
  eventStores.layer,
  webhookStores.layer,
  workStores.layer
)

/**
 * Implements all storage ports on one immutable value, which is lost when the process ends. This adapter is the
 * reference for other adapters. It is also good enough for demos.
 *
 * @example
 * import { OrgStore } from "@trailbook/core/org"
 * import * as Memory from "@trailbook/memory"
 * import * as Effect from "effect/Effect"
 *
 * const orgs = Effect.flatMap(OrgStore, ({ all }) => all)
 *
 * Effect.runSync(Effect.provide(orgs, Memory.layer)) // []
 */
export const layer: Layer.Layer<Storage> = Layer.provide(portsLayer, MemoryDatabase.layer)

/**
 * Like {@link layer}, but without transactions. Work runs concurrently, and nothing is rolled back. Use it only for
 * negative controls. A race test that passes with this layer tests nothing.
 */
export const layerUnguarded: Layer.Layer<Storage> = Layer.provide(portsLayer, MemoryDatabase.layerUnguarded)
